/* siconos_none.c: stands in where Siconos is not installed. */
#include "tests/bench/problems/siconos.h"

bool siconos_is_there(void) {
    return false;
}

bool siconos_nsgs(scree_fc3d *p, double tolerance, int sweeps,
                  siconos_result *result) {
    (void)p, (void)tolerance, (void)sweeps;
    *result = (siconos_result){0};
    return false;
}
