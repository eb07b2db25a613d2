/* reference.c: no key of a case file is without words, and defaults are the reader's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/schema/reference.h"

#include <stdlib.h>
#include <string.h>

static scree_reference all;

static int make_reference(void **state) {
    (void)state;
    return scree_reference_make(&all) == SCREE_OK ? 0 : -1;
}

static int free_reference(void **state) {
    (void)state;
    scree_reference_free(&all);
    return 0;
}

static const scree_reference_key *find_key(const char *path, bool of_models) {
    for (int i = 0; i < all.n; i++)
        if (strcmp(all.keys[i].path, path) == 0 &&
            (of_models ? all.keys[i].of_models : all.keys[i].of_worlds))
            return &all.keys[i];
    fail_msg("no key %s", path);
    return NULL;
}

/* Meaning, what is allowed, what holds without it, an example. */
static void keys__all__have_words(void **state) {
    (void)state;
    char words[400];
    assert_true(all.n > 200);
    for (int i = 0; i < all.n; i++) {
        const scree_reference_key *key = &all.keys[i];
        const char *about = key->field->about;
        if (!about || strlen(about) < 5 || about[strlen(about) - 1] != '.')
            fail_msg("%s: no sentence on its meaning", key->path);
        if (!key->field->example || !*key->field->example)
            fail_msg("%s: no example", key->path);
        if (!*key->unless) fail_msg("%s: no words for its default", key->path);
        scree_key_allowed(key, words, sizeof words);
        if (!*words) fail_msg("%s: nothing is allowed", key->path);
    }
}

static void keys__default__is_that_of_the_reader(void **state) {
    (void)state;
    assert_string_equal(find_key("solver.momentum", false)->value, "0.85");
    assert_string_equal(find_key("solver.method", false)->value, "pgs");
    assert_string_equal(find_key("solver.method", true)->value, "newton");
    assert_string_equal(find_key("checkpoint.keep", false)->value, "2");
    assert_string_equal(find_key("contact.recovery_velocity", false)->value,
                        "auto");
    assert_string_equal(find_key("bodies.pyramid.spacing", false)->value,
                        "1.1");
    assert_string_equal(find_key("bodies.sphere.orientation", false)->value,
                        "[1, 0, 0, 0]");
    assert_string_equal(find_key("walls.mesh.scale", false)->value, "1");
    assert_string_equal(find_key("bodies.pour.rate", false)->unless,
                        "required");
    assert_string_equal(find_key("bodies.pour.stop", false)->unless,
                        "the end of the run");
    assert_string_equal(find_key("bodies.radius", false)->unless,
                        "one of radius, shape is required");
}

/* What both kinds of files have is there once. */
static void keys__of_both__are_one(void **state) {
    (void)state;
    const scree_reference_key *end = find_key("time.end", false);
    assert_true(end->of_models);
    assert_ptr_equal(end, find_key("time.end", true));
    assert_false(find_key("bodies.pour", false)->of_models);
    assert_false(find_key("parameters", true)->of_worlds);
}

static void example__in_a_list__is_whole(void **state) {
    (void)state;
    char text[400];
    scree_key_example(find_key("bodies.pour.rate", false), text, sizeof text);
    assert_string_equal(text, "bodies: [{pour: {rate: 200}}]");
    scree_key_example(find_key("time.step", false), text, sizeof text);
    assert_string_equal(text, "time: {step: 1e-3}");
    scree_key_example(find_key("seed", false), text, sizeof text);
    assert_string_equal(text, "seed: 1");
}

static char *explain(const char *name, bool *known) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    *known = scree_reference_explain(&all, name, file);
    fclose(file);
    return text;
}

static void explain__paths_and_ends__are_found(void **state) {
    (void)state;
    static const char *const names[] = {"bodies.pour.rate",
                                        "bodies[12].pour.rate", "pour.rate"};
    bool known;
    for (int i = 0; i < 3; i++) {
        char *text = explain(names[i], &known);
        assert_true(known);
        assert_memory_equal(text, "bodies.pour.rate\n", 17);
        free(text);
    }
    char *text = explain("min", &known);
    assert_true(known);
    assert_non_null(strstr(text, "bodies.fill.box.min"));
    assert_non_null(strstr(text, "walls.box.min"));
    free(text);
    free(explain("bodies.pour.rat", &known));
    assert_false(known);
    free(explain("", &known));
    assert_false(known);
    free(explain("[[[.]", &known));
    assert_false(known);
}

static void man__roff__no_line_is_a_request(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    scree_put_roff(".a\n'b\\-c", file);
    fclose(file);
    assert_string_equal(text, "\\&.a\n\\&'b\\e\\-c");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys__all__have_words),
        cmocka_unit_test(keys__default__is_that_of_the_reader),
        cmocka_unit_test(keys__of_both__are_one),
        cmocka_unit_test(example__in_a_list__is_whole),
        cmocka_unit_test(explain__paths_and_ends__are_found),
        cmocka_unit_test(man__roff__no_line_is_a_request),
    };
    return cmocka_run_group_tests(tests, make_reference, free_reference);
}
