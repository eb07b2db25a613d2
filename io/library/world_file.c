/* world_file.c: worlds that no case describes, in files. They have the form of those of
 * runs, with a case that says so. */
#include "engine/world/state.h"
#include "engine/world/view.h"
#include "io/hdf5/checkpoint.h"
#include "io/output/output.h"
#include "io/scree_results.h"

/* What the files say of where they come from; nobody writes to it. */
static scree_case origin_of(const scree_world *world) {
    static char nothing[] = "", text[] = "# made by a program\n",
                name[] = "world", units[] = "SI";
    return (scree_case){.path = nothing,
                        .text = text,
                        .overrides = nothing,
                        .name = name,
                        .units = units,
                        .world = *scree_world_view_of(world).def};
}

scree_status scree_world_write_frame(const scree_world *world, const char *path,
                                     scree_error *error) {
    REQUIRE(path, "path is NULL");
    const scree_case origin = origin_of(world);
    const scree_output_context context = {.comm = scree_world_comm(world),
                                          .folder = ".",
                                          .source = &origin,
                                          .world = world};
    return scree_output_frame(&context, path, error);
}

static void fill_world(void *context, scree_archive *a) {
    scree_world_archive(context, a);
}

scree_status scree_world_save(scree_world *world, const char *path,
                              scree_error *error) {
    REQUIRE(path, "path is NULL");
    const scree_case origin = origin_of(world);
    const scree_hdf5_state state = {scree_world_time(world),
                                    scree_world_steps(world),
                                    scree_world_hash(world)};
    return scree_checkpoint_save(scree_world_comm(world), path, &origin, &state,
                                 fill_world, world, error);
}

static scree_status load_from(scree_world *world, scree_checkpoint *from,
                              scree_error *error) {
    scree_error why = {0};
    scree_archive a = scree_checkpoint_archive(from, &why);
    scree_world_archive(world, &a);
    if (a.status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, a.status, "%.400s: %.500s", from->path, why.text);
}

scree_status scree_world_load(scree_world *world, const char *path,
                              scree_error *error) {
    const scree_comm *comm = scree_world_comm(world);
    REQUIRE(path, "path is NULL");
    REQUIRE(scree_world_body_count(world) == 0 && scree_world_steps(world) == 0,
            "world: it has bodies, or has been stepped; a new one is needed");
    if (comm->size > 1)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "world: it is spread over ranks; load a run by "
                          "scree_simulation_open");
    scree_checkpoint *from;
    TRY(scree_checkpoint_open(path, &from, error));
    const scree_status status = load_from(world, from, error);
    scree_checkpoint_close(from);
    return status;
}
