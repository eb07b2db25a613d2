/* setting_of.h: the settings of a world that is there already. The library never
 * changes them; tests that compare settings from one state on do. */
#ifndef SCREE_TESTS_SETTING_OF_H
#define SCREE_TESTS_SETTING_OF_H

#include "engine/world/world.h"

static inline scree_world_def *setting_of(scree_world *world) {
    return (scree_world_def *)&world->def;
}

#endif
