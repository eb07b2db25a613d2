/* books.h: what contacts, walls and recovery did to the energy.
 *
 * A world books the work of each step on accounts that go on over the run, every
 * rank its own part of it. In a reproducible world (scree_world_def) the order of
 * contacts and bodies, and on which rank they are, must not matter: there the work
 * of a step is added up exactly, over all ranks at its end, and the first rank
 * books the sum; the accounts of the others stay empty. */
#ifndef SCREE_BOOKS_H
#define SCREE_BOOKS_H

#include "engine/base/exact_sum.h"
#include "engine/base/vec.h"

/* X(name): members of scree_world. The last one counts for one step only. */
#define SCREE_ACCOUNTS(X)                                                      \
    X(taken_normal)                                                            \
    X(taken_friction)                                                          \
    X(taken_turning)                                                           \
    X(taken_joints)                                                            \
    X(taken_drag)                                                              \
    X(motor_work)                                                              \
    X(force_work)                                                              \
    X(wall_work)                                                               \
    X(recovery_work)                                                           \
    X(penetration_sum)

/* Sums of this step. */
typedef struct scree_books {
#define X(name) scree_exact_sum name;
    SCREE_ACCOUNTS(X)
#undef X
    scree_exact_sum (*walls)[3]; /* (n_wall) percussions */
    int64_t wall_capacity;
} scree_books;

void scree_books_free(scree_books *books);

/* world->name += amount, at the end of the step if the world has books. */
#define SCREE_BOOK(world, name, amount)                                        \
    do {                                                                       \
        if ((world)->accounts.books)                                           \
            scree_exact_add(&(world)->accounts.books->name, amount);           \
        else                                                                   \
            (world)->accounts.name += (amount);                                \
    } while (0)

#endif
