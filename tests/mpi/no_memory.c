/* no_memory.c: to be preloaded: one rank gets no memory at one of its requests.
 *
 * NO_MEMORY_RANK: which rank, NO_MEMORY_AT: the request, from 1 on; 0: none.
 * NO_MEMORY_COUNT: a file for the number of all requests of that rank. Only those of
 * the program itself count, not those of the libraries that it calls. */
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static uintptr_t from, to; /* the program in memory */
static long requests, at;

/* The first object is the program. */
static int note_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    from = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        const uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (start < from) from = start;
        if (start + part->p_memsz > to) to = start + part->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    const char *wanted = getenv("NO_MEMORY_RANK"), *n = getenv("NO_MEMORY_AT");
    if (!rank || !wanted || !n || strcmp(rank, wanted) != 0) return;
    at = atol(n);
    dl_iterate_phdr(note_program, NULL);
}

__attribute__((destructor)) static void end(void) {
    const char *name = getenv("NO_MEMORY_COUNT");
    FILE *file = to && name ? fopen(name, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", requests);
    fclose(file);
}

static int is_refused(const void *caller) {
    const uintptr_t x = (uintptr_t)caller;
    return x >= from && x < to && ++requests == at;
}
#define IS_REFUSED is_refused(__builtin_return_address(0))

void *malloc(size_t size) {
    return IS_REFUSED ? NULL : __libc_malloc(size);
}
void *calloc(size_t n, size_t size) {
    return IS_REFUSED ? NULL : __libc_calloc(n, size);
}
void *realloc(void *p, size_t size) {
    return IS_REFUSED ? NULL : __libc_realloc(p, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return IS_REFUSED ? NULL : __libc_memalign(alignment, size);
}
