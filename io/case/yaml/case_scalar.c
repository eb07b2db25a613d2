/* case_scalar.c: texts that are numbers. */
#include "io/case/yaml/case_node.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Only what a decimal number is made of: strtod alone would accept spaces, hex
 * digits, nan and infinity as well. */
scree_parsed scree_node_number(const scree_node *node, double *x) {
    if (node->kind != SCREE_NODE_SCALAR || !node->plain || !node->text[0] ||
        node->text[strspn(node->text, "+-.eE0123456789")])
        return SCREE_NO_NUMBER;
    char *end;
    *x = strtod(node->text, &end);
    if (*end) return SCREE_NO_NUMBER;
    return isfinite(*x) ? SCREE_IS_NUMBER : SCREE_TOO_LARGE;
}

/* Digits are read as they are; anything else (5e3, 2.0) goes through a double
 * and must be one that counts exactly. */
scree_parsed scree_node_integer(const scree_node *node, int64_t *k) {
    double x;
    const scree_parsed as_number = scree_node_number(node, &x);
    if (as_number != SCREE_IS_NUMBER) return as_number;
    char *end;
    errno = 0;
    *k = strtoll(node->text, &end, 10);
    if (!*end) return errno ? SCREE_TOO_LARGE : SCREE_IS_NUMBER;
    if (x != floor(x)) return SCREE_NO_NUMBER;
    if (fabs(x) > 0x1p53) return SCREE_TOO_LARGE;
    *k = (int64_t)x;
    return SCREE_IS_NUMBER;
}

bool scree_node_is_nothing(const scree_node *node) {
    return node->plain && (!node->text[0] || strcmp(node->text, "~") == 0 ||
                           strcmp(node->text, "null") == 0);
}
