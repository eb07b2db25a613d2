/* hdf5_edits.h: a valid HDF5 file made wrong by the bytes of an input, through
 * HDF5's own functions: other numbers, sizes, ranks and types, objects and
 * attributes that are missing, are of another kind or lead to themselves.
 *
 * Altered bytes are no use behind the seal: HDF5 1.10 itself crashes on many
 * hostile files, which is why the readers look at the seal first, and what it
 * does behind a forged one is not this program's. */
#ifndef SCREE_TESTS_FUZZ_HDF5_EDITS_H
#define SCREE_TESTS_FUZZ_HDF5_EDITS_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_EDIT_BYTES = 12, FUZZ_MOST_EDITS = 8 };

/* One edit for every FUZZ_EDIT_BYTES bytes: what, where, two details and a
 * value of eight bytes. What cannot be done is left out. `base` is where the bytes
 * of the file come from: its objects are numbered once. */
void fuzz_hdf5_edit(const char *path, const void *base, const uint8_t *data,
                    size_t size);

#endif
