/* STL and OBJ: what is read, what is refused, and how it is said. */
#include "io/file/mesh_file.h"

#include "contact/solid/mass.h"
#include "tests/io/files/scratch_file.h"

/* ---- a box in every format ----------------------------------------------- */

static const double corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, 0},
                                    {0, 0, 3}, {1, 0, 3}, {0, 2, 3}, {1, 2, 3}};
static const int quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                               {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

enum { FACETS = 12, BINARY = 84 + 50 * FACETS };

static const double *facet_corner(int f, int k) {
    const int *q = quad[f / 2];
    return corner[k == 0 ? q[0] : q[k + f % 2]];
}

static void binary_box(char bytes[BINARY]) {
    const uint32_t n = FACETS;
    memset(bytes, 0, BINARY);
    memcpy(bytes, "solid but binary", 16);
    memcpy(bytes + 80, &n, 4);
    for (int f = 0; f < FACETS; f++)
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) {
                const float x = (float)facet_corner(f, k)[c];
                memcpy(bytes + 84 + 50 * f + 12 * (k + 1) + 4 * c, &x, 4);
            }
}

static size_t ascii_box(char *text) {
    char *at = text + sprintf(text, "solid a box\n");
    for (int f = 0; f < FACETS; f++) {
        at += sprintf(at, " facet normal nan 0 0\n  outer loop\n");
        for (int k = 0; k < 3; k++) {
            const double *x = facet_corner(f, k);
            at += sprintf(at, "   vertex %g %g %e\r\n", x[0], x[1], x[2]);
        }
        at += sprintf(at, "  endloop\n endfacet\n");
    }
    at += sprintf(at, "endsolid a box\n");
    return (size_t)(at - text);
}

static size_t obj_box(char *text) {
    char *at = text + sprintf(text, "# a box\no box\n");
    for (int i = 0; i < 8; i++)
        at += sprintf(at, "v %g %g %g\n", corner[i][0], corner[i][1],
                      corner[i][2]);
    at += sprintf(at, "vt 0 0\nvn 0 0 1\ns off\n");
    for (int f = 0; f < 6; f++) {
        const int *q = quad[f];
        at += f % 2 ? sprintf(at, "f %d/1/1 %d/1 %d//1 %d\n", q[0] + 1,
                              q[1] + 1, q[2] + 1, q[3] + 1)
                    : sprintf(at, "f %d %d %d %d\n", q[0] - 8, q[1] - 8,
                              q[2] - 8, q[3] - 8);
    }
    return (size_t)(at - text);
}

/* ---- reading ------------------------------------------------------------- */

static void check_box(const char *path) {
    scree_triangles t;
    scree_error error = {0};
    if (scree_mesh_read(path, true, &t, &error)) fail_msg("%s", error.text);
    assert_int_equal(t.n_vertex, 8);
    assert_int_equal(t.n_triangle, FACETS);
    const scree_mass m = scree_mass_triangles(&t);
    assert_near(m.volume, 6, 1e-14);
    assert_near(norm(sub(m.centre, vec(0.5, 1, 1.5))), 0, 1e-15);
    scree_hull h;
    assert_ok(scree_triangles_to_hull(&t, path, &h, &error));
    assert_int_equal(h.n_face, 6);
    scree_hull_free(&h);
    scree_triangles_free(&t);
    unlink(path);
}

static void mesh__box__is_read_from_every_format(void **state) {
    (void)state;
    char text[4000];
    const char *path = scratch_path(".stl");
    binary_box(text);
    write_file(path, text, BINARY);
    check_box(path);
    write_file(path, text, ascii_box(text));
    check_box(path);
    path = scratch_path(".OBJ");
    write_file(path, text, obj_box(text));
    check_box(path);
}

/* ---- refusing ------------------------------------------------------------ */

static void refuse_bytes(const char *ending, const char *bytes, size_t n,
                         bool closed, const char *sentence) {
    const char *path = scratch_path(ending);
    scree_triangles t;
    scree_error error = {0};
    write_file(path, bytes, n);
    assert_int_equal(scree_mesh_read(path, closed, &t, &error),
                     SCREE_BAD_INPUT);
    assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
    if (!strstr(error.text, sentence))
        fail_msg("expected '%s' in '%s'", sentence, error.text);
    assert_null(t.vertex);
    unlink(path);
}

static void refuse(const char *text, bool closed, const char *sentence) {
    refuse_bytes(".obj", text, strlen(text), closed, sentence);
}

static void mesh__bad_obj__names_the_line(void **state) {
    (void)state;
#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
    refuse("", false, "no facets");
    refuse(SQUARE, false, "no facets");
    refuse("v 0 0\n", false, ":1: a vertex has three finite coordinates");
    refuse("v 0 0 nan\n", false, ":1: a vertex has three finite");
    refuse("v 0 0 1e999\n", false, ":1: a vertex has three finite");
    refuse(SQUARE "f 1 2\n", false,
           ":5: a facet has at least 3 corners, not 2");
    refuse(SQUARE "f 1 2 5\n", false, ":5: vertex 5 does not exist");
    refuse(SQUARE "f 1 2 -5\n", false, ":5: vertex -5 does not exist");
    refuse(SQUARE "f 1 0 2\n", false, ":5: vertex 0 does not exist");
    refuse(SQUARE "f 1 x 2\n", false, ":5: expected the number of a vertex");
    refuse(SQUARE "f 1 99999999999 2\n", false, ":5: expected the number");
    refuse(SQUARE "f 1 2 3\nf 1 3 3\n", false, ":6: the facet has no area");
    refuse(SQUARE "v 0.5 0 0\nf 1 5 2\n", false, ":6: the facet has no area");
    refuse(SQUARE "f 1 2 3\n f 1 4 3\n", false, "turned opposite ways");
    refuse(SQUARE "f 1 2 3\nf 1 3 4\n", true, "the surface is open");
    refuse(SQUARE "f 1 2 3\nf 3 2 1\n", false, "encloses no volume");
    refuse(SQUARE "v 0 0 1\nv 1 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n", false,
           ":7: 3 facets meet at one of its edges");
    refuse(SQUARE "v 2 2 0\nv 1 2 0\nf 1 2 3\nf 3 5 6\n", false,
           ":8: it and the facet of line 7 meet in the point (1, 1, 0) alone: "
           "part the surfaces");
#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    refuse(TETRAHEDRON "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n", true,
           "look inward");
    refuse(TETRAHEDRON "v -1 0 0\nv 0 -1 0\nv 0 0 -1\n"
                       "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                       "f 1 5 6\nf 1 7 5\nf 1 6 7\nf 5 7 6\n",
           true, "meet in the point (0, 0, 0) alone");
}

/* A program's own triangles, which share vertices by place, not by number. */
static void refuse_in_world(const double (*p)[3], int n_triangle,
                            const char *sentence) {
    const scree_world_def def = scree_world_def_default();
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_mesh_def mesh = scree_mesh_def_default();
    int32_t corners[12];
    for (int i = 0; i < 12; i++) corners[i] = i;
    mesh.vertices = p[0], mesh.n_vertex = 3 * n_triangle;
    mesh.corners = corners, mesh.n_triangle = n_triangle;
    assert_int_equal(scree_world_add_mesh(world, &mesh, NULL),
                     SCREE_BAD_ARGUMENT);
    if (!strstr(scree_world_error(world), sentence))
        fail_msg("expected '%s' in '%s'", sentence, scree_world_error(world));
    scree_world_destroy(world);
}

static void mesh__of_a_program__is_checked_as_a_file_is(void **state) {
    (void)state;
#define FIRST                                                                  \
    {0, 0, 0}, {1, 0, 0}, {                                                    \
        1, 1, 0                                                                \
    }
    const double repeated[][3] = {FIRST, {0, 0, 0}, {1, 1, 0}, {1, 1, 0}};
    const double reversed[][3] = {FIRST, {0, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    const double branching[][3] = {FIRST,     {1, 0, 0}, {0, 0, 0}, {0, 1, 0},
                                   {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    const double fans[][3] = {FIRST, {1, 1, 0}, {2, 2, 0}, {1, 2, 0}};
    refuse_in_world(repeated, 2, "mesh: facet 2: the facet has no area");
    refuse_in_world(reversed, 2,
                    "mesh: facet 1: it and its neighbour, facet 2, "
                    "are turned opposite ways");
    refuse_in_world(branching, 3,
                    "mesh: facet 1: 3 facets meet at one of its "
                    "edges");
    refuse_in_world(fans, 2, "mesh: facet 2: it and facet 1 meet in the point");
#undef FIRST
}

static void mesh__open_surface__is_a_wall(void **state) {
    (void)state;
    const char *path = scratch_path(".obj"), *text = SQUARE "f 1 2 3 4\n";
    scree_triangles t;
    write_file(path, text, strlen(text));
    assert_ok(scree_mesh_read(path, false, &t, NULL));
    assert_int_equal(t.n_triangle, 2);
    assert_int_equal(t.line[1], 5);
    scree_triangles_free(&t);
    unlink(path);
}

static void mesh__bad_stl__names_the_facet(void **state) {
    (void)state;
    char text[4000], *at;
    binary_box(text);
    refuse_bytes(".stl", text, BINARY - 60, true, "facet 11: the file ends");
    refuse_bytes(".stl", text, 70, true, "too few for an STL file");
    memcpy(text + 80, &(uint32_t){3}, 4);
    refuse_bytes(".stl", text, BINARY, true,
                 "announces 3 facets, but holds 12");
    binary_box(text);
    memcpy(text + 84 + 50 * 4 + 12, &(float){NAN}, 4);
    refuse_bytes(".stl", text, BINARY, true, "facet 5: a vertex is not finite");
    binary_box(text);
    memcpy(text + 84 + 50 * 6 + 12, text + 84 + 50 * 6 + 24, 12);
    refuse_bytes(".stl", text, BINARY, true, "facet 7: the facet has no area");
    size_t n = ascii_box(text);
    refuse_bytes(".stl", text, n / 2, true, "the file ends");
    at = strstr(text, "endfacet");
    memcpy(at, "endfacex", 8);
    refuse_bytes(".stl", text, n, true,
                 ":8: facet 1: expected 'endfacet', found 'endfacex'");
    n = ascii_box(text);
    at = strstr(text, "vertex 0");
    at[7] = 'x';
    refuse_bytes(".stl", text, n, true, "expected a finite number, found 'x'");
    refuse_bytes(".ply", text, n, true, "expected a file .stl or .obj");
}

static void mesh__no_file__is_said(void **state) {
    (void)state;
    scree_triangles t;
    scree_error error = {0};
    assert_int_equal(scree_mesh_read("no-such.stl", true, &t, &error),
                     SCREE_IO_ERROR);
    assert_string_equal(error.text, "no-such.stl: No such file or directory");
    assert_int_equal(scree_mesh_read("/", true, &t, &error), SCREE_IO_ERROR);
}

/* ---- convexity ----------------------------------------------------------- */

static void to_hull(const char *text, const char *sentence) {
    const char *path = scratch_path(".obj");
    scree_triangles t;
    scree_hull h;
    scree_error error = {0};
    write_file(path, text, strlen(text));
    if (scree_mesh_read(path, true, &t, &error)) fail_msg("%s", error.text);
    assert_int_equal(scree_triangles_to_hull(&t, path, &h, &error),
                     SCREE_BAD_INPUT);
    if (!strstr(error.text, sentence) || !strstr(error.text, "wall mesh"))
        fail_msg("expected '%s' in '%s'", sentence, error.text);
    scree_triangles_free(&t);
    unlink(path);
}

static void mesh__not_convex__is_no_hull(void **state) {
    (void)state;
    /* a pyramid whose base is pushed in, deep, to (0.5, 0.5, 0.5) */
    to_hull(SQUARE "v 0.5 0.5 0.5\nv 0.5 0.5 2\n"
                   "f 1 2 6\nf 2 3 6\nf 3 4 6\nf 4 1 6\n"
                   "f 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n",
            "not convex: the facet of line");
    /* two tetrahedra apart */
    to_hull(TETRAHEDRON "v 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\n"
                        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                        "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n",
            "not one convex piece");
}

/* ---- mutants ------------------------------------------------------------- */

static void try_read(const char *path) {
    scree_triangles t;
    scree_hull h;
    scree_error error = {0};
    if (scree_mesh_read(path, false, &t, &error) != SCREE_OK) {
        assert_true(error.text[0]);
        return;
    }
    if (scree_triangles_to_hull(&t, path, &h, &error) == SCREE_OK)
        scree_hull_free(&h);
    scree_triangles_free(&t);
}

static void mesh__mutants__never_crash(void **state) {
    (void)state;
    char text[4000];
    binary_box(text);
    mutate(text, BINARY, ".stl", 400, try_read);
    mutate(text, ascii_box(text), ".stl", 400, try_read);
    mutate(text, obj_box(text), ".obj", 400, try_read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh__box__is_read_from_every_format),
        cmocka_unit_test(mesh__bad_obj__names_the_line),
        cmocka_unit_test(mesh__of_a_program__is_checked_as_a_file_is),
        cmocka_unit_test(mesh__open_surface__is_a_wall),
        cmocka_unit_test(mesh__bad_stl__names_the_facet),
        cmocka_unit_test(mesh__no_file__is_said),
        cmocka_unit_test(mesh__not_convex__is_no_hull),
        cmocka_unit_test(mesh__mutants__never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
