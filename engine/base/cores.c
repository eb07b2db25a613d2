#include "engine/base/cores.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

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

/* Ranks may be bound to cores of their own each, or share all of them: cores
 * that any of them may use are there for all. */
int scree_core_count_of(const scree_comm *comm) {
    cpu_set_t set[SCREE_MOST_CPUS / CPU_SETSIZE];
    bool allowed[SCREE_MOST_CPUS] = {false};
    const bool failed = sched_getaffinity(0, sizeof set, set) != 0;
    if (failed) memset(set, 0, sizeof set);
    scree_comm_join_bits(comm, (unsigned char *)set, (int)sizeof set);
    if (failed) return 1;
    for (int cpu = 0; cpu < SCREE_MOST_CPUS; ++cpu)
        allowed[cpu] = CPU_ISSET_S(cpu, sizeof set, set);
    return scree_core_count_in("/sys/devices/system/cpu", allowed);
}

int scree_core_count(void) {
    return scree_core_count_of(scree_comm_alone());
}
