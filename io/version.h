/* version.h: what this build is; filled in by CMake (io/version.c.in). */
#ifndef SCREE_IO_VERSION_H
#define SCREE_IO_VERSION_H

extern const char scree_build_version[];
extern const char scree_build_commit[];
extern const char scree_build_compiler[];
extern const char scree_build_features[]; /* "openmp hdf5-1.10.8 ..." */

#endif
