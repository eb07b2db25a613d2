/* driver.c: a fuzz target on its seeds and on mutants of them, the same ones in
 * every run.
 *
 *     driver MUTANTS FOLDER-OR-FILE ...     MUTANTS of each seed
 *     driver 0 FILE                         to see one input again
 *
 * What crashes or takes more than a minute is left in the file `crash`. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/random.h"
#include "target.h"

enum { MOST_SEEDS = 400, LONGEST = 1 << 16 /* of a mutant */ };

typedef struct input {
    uint8_t *bytes;
    size_t size;
} input;

static input seeds[MOST_SEEDS];
static int n_seed;

/* ---- one input ----------------------------------------------------------- */

static const input *current;

static void keep_input(int number) {
    const int file = open("crash", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const ssize_t written =
        file >= 0 ? write(file, current->bytes, current->size) : -1;
    static const char text[] = "the input is in the file 'crash'\n";
    if (written >= 0 && write(2, text, sizeof text - 1) < 0) _exit(1);
    signal(number == SIGALRM ? SIGABRT : number, SIG_DFL);
    raise(number == SIGALRM ? SIGABRT : number);
}

static void try_input(const input *in) {
    /* In a block of its size, so that a sanitizer sees reads past its end. */
    uint8_t *copy = malloc(in->size ? in->size : 1);
    memcpy(copy, in->bytes, in->size);
    current = in;
    alarm(60);
    LLVMFuzzerTestOneInput(copy, in->size);
    alarm(0);
    free(copy);
}

/* ---- mutants ------------------------------------------------------------- */

static const char *const words[] = {
    "-1",   "0",    "1e308", "1e-308", "1e18",       "-1e18", "999999999999",
    "nan",  ".inf", "[",     "{",      "2147483648", "null",  "&a [*a, *a]",
    "\n- ", ": ",   "\"",    "*a",     "\n",         "/",     "\xff\xfe"};

static size_t below(scree_random *rng, size_t n) {
    return n ? (size_t)(scree_random_next(rng) % n) : 0;
}

/* Puts n bytes in place of `cut` bytes at `at`. */
static void exchange(input *in, size_t at, size_t cut, const void *bytes,
                     size_t n) {
    if (in->size - cut + n > LONGEST) return;
    memmove(in->bytes + at + n, in->bytes + at + cut, in->size - at - cut);
    memcpy(in->bytes + at, bytes, n);
    in->size = in->size - cut + n;
}

static void change_once(input *in, scree_random *rng) {
    const size_t at = below(rng, in->size), left = in->size - at;
    const input *other = &seeds[below(rng, (size_t)n_seed)];
    const char *word = words[below(rng, sizeof words / sizeof *words)];
    const size_t from = below(rng, other->size);
    uint8_t noise[8];
    switch (below(rng, 7)) {
    case 0: /* cut short */
        in->size = at;
        break;
    case 1: /* one bit */
        if (left) in->bytes[at] ^= (uint8_t)(1u << below(rng, 8));
        break;
    case 2: /* some bytes */
        for (int i = 0; i < 8; i++) noise[i] = (uint8_t)scree_random_next(rng);
        exchange(in, at, below(rng, left < 8 ? left + 1 : 9), noise,
                 below(rng, 9));
        break;
    case 3: /* a piece less */
        exchange(in, at, below(rng, left < 40 ? left + 1 : 41), noise, 0);
        break;
    case 4: { /* a piece of another seed */
        const size_t n = below(rng, other->size - from + 1);
        exchange(in, at, 0, other->bytes + from, n < 60 ? n : 60);
        break;
    }
    default: /* a word that means trouble */
        exchange(in, at, below(rng, left < 6 ? left + 1 : 7), word,
                 strlen(word));
    }
}

static void try_mutants(const input *seed, int n) {
    static uint8_t room[LONGEST];
    scree_random rng = {seed->size};
    for (int i = 0; i < n && seed->size <= LONGEST; i++) {
        input in = {room, seed->size};
        memcpy(room, seed->bytes, seed->size);
        for (size_t k = below(&rng, 3) + 1; k > 0; k--) change_once(&in, &rng);
        try_input(&in);
    }
}

/* ---- seeds --------------------------------------------------------------- */

static void add_seed(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return;
    fuzz_require(n_seed < MOST_SEEDS, "more than %d seeds", MOST_SEEDS);
    input *seed = &seeds[n_seed++];
    seed->bytes = fuzz_load(path, &seed->size);
}

static void add_seeds(const char *path) {
    struct dirent **entries;
    const int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0) add_seed(path);
    for (int i = 0; i < n; i++) {
        char inner[1000];
        snprintf(inner, sizeof inner, "%.700s/%.255s", path,
                 entries[i]->d_name);
        add_seed(inner);
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

int main(int argc, char **argv) {
    static const int signals[] = {SIGABRT, SIGSEGV, SIGFPE,
                                  SIGBUS,  SIGILL,  SIGALRM};
    fuzz_require(argc > 2, "driver MUTANTS FOLDER-OR-FILE ...");
    const int mutants = atoi(argv[1]);
    for (int i = 2; i < argc; i++) add_seeds(argv[i]);
    fuzz_require(n_seed > 0, "no seeds");
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], keep_input);
    for (int i = 0; i < n_seed; i++) {
        try_input(&seeds[i]);
        try_mutants(&seeds[i], mutants);
    }
    printf("%d seeds, %ld answers: %ld accepted, %ld refused\n", n_seed,
           fuzz_accepted + fuzz_refused, fuzz_accepted, fuzz_refused);
    /* Else the seeds do not lead into the reader, or it checks nothing. */
    fuzz_require(mutants == 0 || (fuzz_accepted > 0 && fuzz_refused > 0),
                 "all inputs had the same fate");
    for (int i = 0; i < n_seed; i++) free(seeds[i].bytes);
    return 0;
}
