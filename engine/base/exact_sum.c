#include "engine/base/exact_sum.h"

#include <math.h>
#include <string.h>

enum { WORDS = SCREE_EXACT_WORDS, LEAST = -1074 };
static const int64_t MASK = 0xFFFFFFFF;
/* An addition changes a word by less than 2^33. */
static const int64_t MOST = INT64_C(1) << 29;

/* Words in [0, 2^32), but for the sign in the last one. */
static void carry_words(scree_exact_sum *sum) {
    int64_t over = 0;
    for (int k = 0; k < WORDS - 1; ++k) {
        const int64_t word = sum->word[k] + over;
        sum->word[k] = word & MASK;
        over = (word - sum->word[k]) / (MASK + 1);
    }
    sum->word[WORDS - 1] += over;
    sum->n = 1;
}

static void add_strange(scree_exact_sum *sum, double x) {
    if (x != x)
        ++sum->nan;
    else if (x > 0)
        ++sum->above;
    else
        ++sum->below;
}

/* x = sign m 2^(at - 1074) with m < 2^53. */
void scree_exact_add(scree_exact_sum *sum, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7FF);
    if (exponent == 0x7FF) {
        add_strange(sum, x);
        return;
    }
    uint64_t m = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent > 0) m |= UINT64_C(1) << 52;
    const int at = exponent > 0 ? exponent - 1 : 0, shift = at % 32;
    const int64_t lo = (int64_t)((m & (uint64_t)MASK) << shift);
    const int64_t hi = (int64_t)(m >> 32 << shift);
    const int64_t sign = bits >> 63 ? -1 : 1;
    int64_t *word = &sum->word[at / 32];
    word[0] += sign * (lo & MASK);
    word[1] += sign * ((lo >> 32) + (hi & MASK));
    word[2] += sign * (hi >> 32);
    if (++sum->n >= MOST) carry_words(sum);
}

static void add_words(scree_exact_sum *sum, const scree_exact_sum *more) {
    for (int k = 0; k < WORDS; ++k) sum->word[k] += more->word[k];
    sum->nan += more->nan;
    sum->above += more->above, sum->below += more->below;
}

void scree_exact_merge(scree_exact_sum *sum, const scree_exact_sum *more) {
    scree_exact_sum tidy = *more;
    carry_words(&tidy);
    carry_words(sum);
    add_words(sum, &tidy);
    ++sum->n;
}

void scree_exact_reduce(const scree_comm *comm, scree_exact_sum *sums, int n) {
    enum { ALL = sizeof(scree_exact_sum) / sizeof(int64_t) };
    if (comm->size == 1) return;
    for (int k = 0; k < n; ++k) carry_words(&sums[k]);
    scree_comm_sum_counts(comm, (int64_t *)sums, n * (int)ALL);
}

static void negate_sum(scree_exact_sum *sum) {
    for (int k = 0; k < WORDS; ++k) sum->word[k] = -sum->word[k];
    carry_words(sum);
}

/* Word k of a sum that is not negative, 0 below the first. */
static uint64_t word_at(const scree_exact_sum *sum, int k) {
    return k >= 0 ? (uint64_t)sum->word[k] : 0;
}

/* The leading 64 bits, the last of which is set if any bit after them is:
 * enough for one right rounding to 53. A sum below the normal doubles has no
 * more bits than they, and is exact. */
static double magnitude_of(const scree_exact_sum *sum) {
    int top = WORDS - 1;
    while (top >= 0 && sum->word[top] == 0) --top;
    if (top < 0) return 0;
    const int lead = __builtin_clzll((uint64_t)sum->word[top]) - 32;
    const uint64_t low = word_at(sum, top - 2);
    uint64_t bits = word_at(sum, top) << 32 | word_at(sum, top - 1);
    if (lead > 0) bits = bits << lead | low >> (32 - lead);
    bool rest = (low << lead & (uint64_t)MASK) != 0;
    for (int k = top - 3; k >= 0 && !rest; --k) rest = sum->word[k] != 0;
    return ldexp((double)(bits | rest), 32 * (top - 1) - lead + LEAST);
}

double scree_exact_value(const scree_exact_sum *sum) {
    if (sum->nan || (sum->above && sum->below)) return NAN;
    if (sum->above) return INFINITY;
    if (sum->below) return -INFINITY;
    scree_exact_sum tidy = *sum;
    carry_words(&tidy);
    const bool negative = tidy.word[WORDS - 1] < 0;
    if (negative) negate_sum(&tidy);
    return negative ? -magnitude_of(&tidy) : magnitude_of(&tidy);
}
