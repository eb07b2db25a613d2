/* hdf5_memory.h: HDF5's files as trees in memory, for fuzzers.
 *
 * Linked into a program, hdf5_memory.c takes the place of those functions of HDF5
 * that deal with files, groups, links, datasets, attributes and their properties;
 * types, spaces and conversions stay HDF5's. A file on disk is then HDF5's signature and the number of
 * a tree, so that opening, editing and reading it costs microseconds: 85 arrays of a
 * checkpoint cost HDF5 itself 17 million instructions. What is fuzzed is what Scree
 * makes of the arrays, types and sizes that it finds; HDF5's own parsing is not (the
 * seal keeps altered bytes from it). Files that HDF5 wrote cannot be opened, but
 * taken in (fuzz_take_file).
 *
 * Data that were never written read as zeros and take no room, as in HDF5. */
#ifndef SCREE_TESTS_FUZZ_HDF5_MEMORY_H
#define SCREE_TESTS_FUZZ_HDF5_MEMORY_H

#include <stdbool.h>

/* Drops the trees that came since the first call: a target calls it before each input,
 * once its bases are made. Without hdf5_memory.c it does nothing. */
void fuzz_forget_files(void);

/* Makes a file that HDF5 wrote one that the program reads at `to`: a tree, or without
 * hdf5_memory_import.c a copy. */
void fuzz_take_file(const char *from, const char *to);

/* The next file that is created is not on disk. */
extern bool fuzz_next_in_memory;

#endif
