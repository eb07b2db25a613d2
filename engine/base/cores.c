#include "engine/base/cores.h"

#include <sched.h>
#include <stdio.h>

typedef struct core {
    int package, number;
} core;

static bool read_number(const char *folder, int cpu, const char *name,
                        int *number) {
    char path[4096];
    snprintf(path, sizeof path, "%s/cpu%d/topology/%s", folder, cpu, name);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    const bool read = fscanf(file, "%d", number) == 1;
    fclose(file);
    return read;
}

static bool read_core(const char *folder, int cpu, core *c) {
    return read_number(folder, cpu, "physical_package_id", &c->package) &&
           read_number(folder, cpu, "core_id", &c->number);
}

static bool is_among(core c, const core *cores, int n) {
    for (int i = 0; i < n; ++i)
        if (cores[i].package == c.package && cores[i].number == c.number)
            return true;
    return false;
}

int scree_core_count_in(const char *folder,
                        const bool allowed[SCREE_MOST_CPUS]) {
    core cores[SCREE_MOST_CPUS];
    int n = 0, cpus = 0;
    bool known = true;
    for (int cpu = 0; cpu < SCREE_MOST_CPUS; ++cpu) {
        core c;
        if (!allowed[cpu]) continue;
        ++cpus;
        known = known && read_core(folder, cpu, &c);
        if (known && !is_among(c, cores, n)) cores[n++] = c;
    }
    return known ? n : cpus;
}

int scree_core_count(void) {
    cpu_set_t set[SCREE_MOST_CPUS / CPU_SETSIZE];
    bool allowed[SCREE_MOST_CPUS] = {false};
    if (sched_getaffinity(0, sizeof set, set)) return 1;
    for (int cpu = 0; cpu < SCREE_MOST_CPUS; ++cpu)
        allowed[cpu] = CPU_ISSET_S(cpu, sizeof set, set);
    return scree_core_count_in("/sys/devices/system/cpu", allowed);
}
