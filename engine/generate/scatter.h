/* scatter.h: finding places for many bodies, on any number of ranks the same.
 *
 * The region is cut into cells that are wider than the largest ball (cells.h);
 * each rank has a block of them, and knows the balls in and around it alone. A
 * body visits a cell, tries some places there and, if none is free, goes on to
 * visit another one, which may be another rank's. All bodies make their visit
 * number v in the same round:
 *
 *     for each wave:
 *         in each cell the bodies of the wave look for places, in the order of
 *         their numbers
 *         balls near the block of another rank are sent to it
 *     those that found none go to the cells of their next visit
 *
 * The waves are the 8 colours of the cells: two cells of a colour are so far
 * apart that none sees what is placed in the other at the same time. So a place
 * depends on the rounds, the colours and the numbers of the bodies, and on no
 * number of ranks. Where bodies differ much in size the larger ones come first,
 * and the region is cut anew for the others: boulders do not make the cells of
 * pebbles wide.
 *
 * Or the generator says which body is in which wave, such that of two that may
 * be in each other's way the one with the lower number is in an earlier wave.
 * Then all have the places that they would find one after another.
 *
 * Bodies without a place wait. A fill or a lattice then fails; a pour adds those
 * before the first that waits.
 *
 * Cost: O(1) per try (place.h). Of n bodies on R ranks each rank holds about
 * n / R and those around its block; a round takes up to two messages to each
 * neighbour, and one for each wave that has a body near a border. */
#ifndef SCREE_SCATTER_H
#define SCREE_SCATTER_H

#include "engine/base/comm.h"
#include "engine/base/sort.h"
#include "engine/generate/cells.h"
#include "engine/generate/place.h"

/* Body k of a generator; ball.x is where it is, or where it looks. */
typedef struct scree_seedling {
    int64_t k;
    scree_piece piece;
} scree_seedling;

typedef scree_piece scree_sower_piece(const void *of, int64_t k);

/* What a generator says of its bodies. All of it depends on their numbers
 * alone. */
typedef struct scree_sower {
    const void *of;
    const scree_region *region;
    double stray;     /* how far a ball may be outside of its cell [m] */
    int visits;       /* most of a body */
    int64_t patience; /* tries for a place, in the mean of all that look */
    scree_sower_piece *piece;
    /* A point of the cell that the body visits. */
    scree_vec3 (*home)(const void *of, const scree_seedling *s, int visit);
    /* A visit: looks for a free place in a cell, and counts the tries. */
    bool (*find)(const void *of, const scree_place *place,
                 const scree_cells *cells, int visit, scree_seedling *s,
                 int64_t *tries);
    scree_random (*turn)(const void *of, int64_t k);
    /* Wave of a body, from 0 to waves - 1; NULL: by colour. With waves of its
     * own a body stays within `stray` of its home along each axis. */
    int64_t (*wave)(const void *of, int64_t k);
    int64_t waves;
} scree_sower;

typedef struct scree_seedlings {
    scree_seedling *list;
    int64_t n, capacity;
} scree_seedlings;

typedef struct scree_scatter {
    const scree_sower *sower;
    const scree_world *world;
    const scree_comm *comm;
    double min[3], max[3]; /* around the region */
    int32_t *near; /* (n_near) bodies of this rank in and around the region */
    int64_t n_near, near_capacity;
    int64_t standing; /* the same on all ranks, how many */
    double r_max;     /* of balls placed and met, of all ranks */
    scree_cells cells;
    double reach; /* of a ball in these cells: from how far it is seen [m] */
    scree_place place;
    scree_seedlings waiting, placed; /* of this rank */
    scree_key *keys; /* (2 n) of those in question, and as many to sort them */
    int64_t keys_capacity;
    int64_t waves;
    int64_t *counts; /* of all ranks: how it goes, and who is near a border */
    scree_mail mail;
    scree_status status;  /* of this rank; the others learn of it in time */
    int64_t tries, found; /* places, of this rank and class so far */
} scree_scatter;

/* For bodies up to the radius r_max. All of these are collective, and fail on
 * all ranks or on none. Free it if it fails as well. */
scree_status scree_scatter_begin(scree_scatter *s, const scree_sower *sower,
                                 double r_max, const scree_world *world);
/* Cuts cells for n bodies in all, new ones of radii up to r_max and, if they
 * are counted, others that stand in the region; has memory for `room` new ones.
 * Should there be none, the next call says so. */
void scree_scatter_cut(scree_scatter *s, int64_t n, int64_t room, double r_max);
/* Places bodies first .. end - 1. If there is no room for all, the others wait.
 */
scree_status scree_scatter_place(scree_scatter *s, int64_t first, int64_t end);
/* The first of those that wait, of all ranks. */
int64_t scree_scatter_first_waiting(const scree_scatter *s);
/* Adds bodies 0 .. n - 1, all of which have places, to the world; later ones
 * are left out. All or none of them. */
scree_status scree_scatter_add(scree_scatter *s, int64_t n,
                               const scree_grain *grain, scree_world *world,
                               scree_error *error);
/* Frees it, and ends as scree_pieces_end does. */
scree_status scree_scatter_end(scree_scatter *s, scree_status status,
                               const char *what, int64_t n, scree_error *error);
void scree_scatter_free(scree_scatter *s);

#endif
