/* mesh_file.h: triangle surfaces from STL (binary and ASCII) and OBJ files.
 *
 * The ending of the name says which (.stl, .obj). Of an OBJ file only `v` and
 * `f` are read; a face with more than three corners is cut into a fan, and
 * indices may be negative or in the forms a/b, a//c, a/b/c. Vertices of equal
 * coordinates become one. The surface is checked (contact/surface/triangles.h), and
 * messages name the facet of an STL file, or the line of an OBJ file. */
#ifndef SCREE_IO_MESH_FILE_H
#define SCREE_IO_MESH_FILE_H

#include "contact/surface/triangles.h"

/* `closed`: a surface with a border is refused. */
scree_status scree_mesh_read(const char *path, bool closed,
                             scree_triangles *triangles, scree_error *error);

#endif
