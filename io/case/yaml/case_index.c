/* case_index.c: a hash table with open addressing.
 *
 * A name b_1 ... b_n is hashed to the polynomial
 *
 *     h = sum b_i x^(n-i)   in the field of 2^61 - 1 elements,
 *
 * at a point x that is chosen at random once per process: two names meet with a
 * probability below n / 2^61, and nobody can write a file whose names all meet.
 * What is found does not depend on x, only how fast. */
#include "io/case/yaml/case_index.h"

#include <stdint.h>
#include <string.h>
#include <sys/random.h>

static const uint64_t PRIME = ((uint64_t)1 << 61) - 1;

__extension__ typedef unsigned __int128 uint128;

static uint64_t random_point(void) {
    static uint64_t point;
    if (point == 0 && getrandom(&point, sizeof point, 0) != sizeof point)
        point = 0x9E3779B97F4A7C15u;
    return point % (PRIME - 256) + 256;
}

static uint64_t hash_name(const char *name) {
    const uint64_t x = random_point();
    uint64_t h = 1;
    for (const char *c = name; *c; c++)
        h = (uint64_t)(((uint128)h * x + (unsigned char)*c) % PRIME);
    return h;
}

/* Where the name is, or the free place where it belongs; room > 0. */
static int place_of(const scree_index *index, const char *name) {
    const uint64_t mask = (uint64_t)index->room - 1;
    uint64_t i = hash_name(name) & mask;
    while (index->names[i] && strcmp(index->names[i], name) != 0)
        i = (i + 1) & mask;
    return (int)i;
}

int scree_index_find(const scree_index *index, const char *name) {
    if (index->n == 0) return -1;
    const int i = place_of(index, name);
    return index->names[i] ? index->numbers[i] : -1;
}

static void put_name(scree_index *index, const char *name, int number) {
    const int i = place_of(index, name);
    index->names[i] = name;
    index->numbers[i] = number;
}

static bool grow_index(scree_index *index, scree_pool *pool) {
    const scree_index old = *index;
    index->room = old.room ? 4 * old.room : 16;
    const size_t room = (size_t)index->room;
    index->names = scree_pool_take(pool, room, sizeof *index->names);
    index->numbers = scree_pool_take(pool, room, sizeof *index->numbers);
    if (!index->names || !index->numbers) {
        *index = old;
        return false;
    }
    for (int i = 0; i < old.room; i++)
        if (old.names[i]) put_name(index, old.names[i], old.numbers[i]);
    return true;
}

bool scree_index_add(scree_index *index, scree_pool *pool, const char *name,
                     int number) {
    if (2 * (index->n + 1) >= index->room && !grow_index(index, pool))
        return false;
    put_name(index, name, number);
    index->n++;
    return true;
}
