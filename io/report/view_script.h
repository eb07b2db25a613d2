/* view_script.h: view.py in the folder of a run.
 *
 *     paraview --script FOLDER/view.py
 *
 * shows the run: balls, surfaces, walls, coloured by speed, at its first frame. It is
 * a copy of cases/scree_scene.py with the planes of the case behind it, so it needs
 * nothing but ParaView, and finds the frames beside itself wherever it is moved to. */
#ifndef SCREE_IO_VIEW_SCRIPT_H
#define SCREE_IO_VIEW_SCRIPT_H

#include "engine/base/error.h"
#include "engine/scree.h"
#include "io/case/case.h"

/* cases/scree_scene.py */
extern const char scree_scene_text[];

/* Whether the case writes something that ParaView can show. */
bool scree_view_is_wanted(const scree_case *c);

/* With the planes that are there now. The script of a run that goes on, `keeps`, stays
 * as it is if it is there: its planes are those of the beginning. */
scree_status scree_view_write(const char *folder, const scree_world *world,
                              bool keeps, scree_error *error);

#endif
