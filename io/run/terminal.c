#include "io/run/terminal.h"
#include "engine/world/view.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/audit/audit.h"
#include "engine/base/clock.h"
#include "engine/domain/partition.h"
#include "io/file/safe_file.h"
#include "io/run/child.h"

/* PERCENT: columns of "100.0 %", which begins a progress line. */
enum { COLUMNS = 100, LONGEST = 160, PERCENT = 7 };

static const double tty_pause = 0.2, plain_pause = 5.0; /* [s] */

/* A line that wraps could not be rewritten in place; elsewhere none is cut. */
static int columns_of(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return LONGEST;
    return size.ws_col <= COLUMNS ? size.ws_col - 1 : COLUMNS;
}

/* As https://no-color.org asks for. */
static bool wants_colour(void) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && *no) && term && *term && strcmp(term, "dumb") != 0;
}

void scree_terminal_open(scree_terminal *terminal, FILE *log) {
    const int fd = log ? fileno(log) : -1;
    const bool tty = fd >= 0 && isatty(fd);
    *terminal = (scree_terminal){.log = log,
                                 .tty = tty,
                                 .colour = tty && wants_colour(),
                                 .file = -1,
                                 .width = columns_of(fd),
                                 .begun = scree_clock()};
}

void scree_terminal_break(scree_terminal *terminal) {
    if (terminal->shown) fputc('\n', terminal->log);
    terminal->shown = 0;
}

/* ---- the file ------------------------------------------------------------ */

scree_status scree_terminal_keep(scree_terminal *terminal, const char *path,
                                 bool goes_on, scree_error *error) {
    const int flags = O_WRONLY | O_APPEND | (goes_on ? 0 : O_TRUNC);
    return scree_file_write(path, flags, &terminal->file, error);
}

/* Past any buffer: a killed run keeps all that it said. */
static void keep_text(scree_terminal *terminal, const char *text, size_t n) {
    while (terminal->file >= 0 && !terminal->lost && n > 0) {
        const ssize_t done = write(terminal->file, text, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
            terminal->lost = errno;
            return;
        }
        text += done;
        n -= (size_t)done;
    }
}

scree_status scree_terminal_close(scree_terminal *terminal, const char *path,
                                  scree_error *error) {
    if (terminal->file < 0) return SCREE_OK;
    if (close(terminal->file) != 0 && !terminal->lost) terminal->lost = errno;
    terminal->file = -1;
    if (!terminal->lost) return SCREE_OK;
    if (terminal->lost == ENOMEM)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.400s: out of memory",
                          path);
    return scree_fail(error, SCREE_IO_ERROR, "%.400s: cannot write: %s", path,
                      strerror(terminal->lost));
}

/* ---- text ---------------------------------------------------------------- */

static const char yellow[] = "\033[33m", green[] = "\033[32m",
                  uncoloured[] = "\033[0m";

static size_t indent_of(const char *line) {
    return strspn(line, " ");
}

/* "warning: ..." or "warning (what): ...". */
static bool is_warning(const char *line) {
    const size_t n = strlen("warning");
    return strncmp(line, "warning", n) == 0 &&
           (line[n] == ':' || strncmp(line + n, " (", 2) == 0);
}

/* A warning is yellow with the lines below it that stand farther in, where its
 * remedy is. */
static void print_coloured(FILE *log, char *text) {
    size_t margin = SIZE_MAX; /* of the warning */
    for (char *line; (line = strsep(&text, "\n"));) {
        const size_t indent = indent_of(line);
        if (is_warning(line + indent))
            margin = indent;
        else if (indent <= margin)
            margin = SIZE_MAX;
        const bool warns = margin != SIZE_MAX;
        fprintf(log, "%s%s%s%s", warns ? yellow : "", line,
                warns ? uncoloured : "", text ? "\n" : "");
    }
}

FILE *scree_terminal_begin(scree_terminal *terminal) {
    FILE *page = scree_memo_open(&terminal->page);
    if (!page) terminal->lost = ENOMEM;
    return page;
}

static void print_text(scree_terminal *terminal, char *text) {
    if (!terminal->log) return;
    scree_terminal_break(terminal);
    if (terminal->colour)
        print_coloured(terminal->log, text);
    else
        fputs(text, terminal->log);
    fflush(terminal->log);
}

void scree_terminal_end(scree_terminal *terminal) {
    if (!terminal->page.out) return;
    char *text = scree_memo_close(&terminal->page);
    if (text) {
        keep_text(terminal, text, terminal->page.size);
        print_text(terminal, text);
    } else {
        terminal->lost = ENOMEM;
    }
    free(text);
}

void scree_terminal_line(scree_terminal *terminal, const char *format, ...) {
    if (!terminal->log && terminal->file < 0) return;
    FILE *page = scree_terminal_begin(terminal);
    if (!page) return;
    va_list args;
    va_start(args, format);
    vfprintf(page, format, args);
    va_end(args);
    fputc('\n', page);
    scree_terminal_end(terminal);
}

void scree_terminal_note(scree_terminal *terminal, const char *format, ...) {
    char line[500];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    keep_text(terminal, line,
              n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

/* ---- progress ------------------------------------------------------------ */

/* Days, hours or minutes; anything beyond a thousand days is "-". */
static void format_duration(char *text, size_t size, double seconds) {
    const bool known = seconds < 86400e3;
    const unsigned s = known ? (unsigned)lround(fmax(seconds, 0.0)) : 0;
    if (!known)
        snprintf(text, size, "-");
    else if (s < 3600)
        snprintf(text, size, "%um%02us", s / 60, s % 60);
    else if (s < 86400)
        snprintf(text, size, "%uh%02um", s / 3600, s / 60 % 60);
    else
        snprintf(text, size, "%ud%02uh", s / 86400, s / 3600 % 24);
}

static double share_done(const scree_progress *progress) {
    if (progress->steps > 0)
        return (double)progress->step / (double)progress->steps;
    return progress->end > 0.0 ? progress->time / progress->end : 1.0;
}

static void format_progress(char *line, size_t size,
                            const scree_terminal *terminal,
                            const scree_progress *progress,
                            const char *detail) {
    const double done = share_done(progress);
    const double passed = scree_clock() - terminal->begun;
    char left[24];
    format_duration(left, sizeof left,
                    passed * (1.0 - done) / (done - terminal->from));
    char where[60];
    if (progress->end > 0)
        snprintf(where, sizeof where, "t %.5g / %.5g s", progress->time,
                 progress->end);
    else
        snprintf(where, sizeof where, "%" PRId64 " / %" PRId64, progress->step,
                 progress->steps);
    snprintf(line, size, "%5.1f %%  %s  ETA %s  %s", 100.0 * done, where, left,
             detail);
}

bool scree_terminal_is_due(const scree_terminal *terminal,
                           const scree_progress *progress) {
    if (!terminal->log) return false;
    if (progress->step == 0 || share_done(progress) >= 1.0) return true;
    const double pause = terminal->tty ? tty_pause : plain_pause;
    return scree_clock() - terminal->spoken >= pause;
}

/* Spaces cover what the line before had more. */
static void rewrite_line(scree_terminal *terminal, const char *line) {
    const int length = (int)strlen(line);
    const int rest = terminal->shown > length ? terminal->shown - length : 0;
    const int lead = terminal->colour ? PERCENT : 0; /* green, the rest plain */
    fprintf(terminal->log, "\r%s%.*s%s%s%*s", lead ? green : "", lead, line,
            lead ? uncoloured : "", line + lead, rest, "");
    terminal->shown = length;
}

/* Whole figures: half a number would be another one. */
static void cut_to(char *line, int width) {
    if ((int)strlen(line) <= width) return;
    line[width + 2] = 0;
    char *gap = line;
    for (char *at = line; (at = strstr(at, "  ")); ++at) gap = at;
    *gap = 0;
}

void scree_terminal_show(scree_terminal *terminal,
                         const scree_progress *progress, const char *detail) {
    char line[LONGEST + 1];
    format_progress(line, sizeof line, terminal, progress, detail);
    cut_to(line, terminal->width);
    if (terminal->tty)
        rewrite_line(terminal, line);
    else
        fprintf(terminal->log, "%s\n", line);
    fflush(terminal->log);
    terminal->spoken = scree_clock();
}

void scree_terminal_progress(scree_terminal *terminal, const scree_world *world,
                             const scree_progress *progress) {
    if (!scree_terminal_is_due(terminal, progress)) return;
    char detail[LONGEST + 1];
    size_t used = 0;
    scree_report report;
    scree_world_read_report(world, &report);
    if (scree_world_imbalance(world) > 1) /* first: it must not be cut off */
        used = (size_t)snprintf(detail, sizeof detail, "load %.2f  ",
                                scree_world_imbalance(world));
    snprintf(detail + used, sizeof detail - used,
             "bodies %" PRId64 "  contacts %" PRId64
             "  it %d  res %.0e  bal %.0e",
             scree_world_body_count(world), scree_world_total_contacts(world),
             report.iterations, report.residual, report.balance);
    scree_terminal_show(terminal, progress, detail);
}

/* ---- the end ------------------------------------------------------------- */

/* A row of the table, with the ends of what ranks took if there are several. */
static void print_phase(FILE *log, const char *name, scree_spread seconds,
                        double total, double steps) {
    fprintf(log, "  %-10s %12.3f %8.1f %12.4f", name, seconds.mean,
            100.0 * seconds.mean / fmax(total, 1e-9),
            1e3 * seconds.mean / steps);
    if (seconds.least < seconds.most)
        fprintf(log, " %12.3f %12.3f", seconds.least, seconds.most);
    fputc('\n', log);
}

static scree_spread alike_on_ranks(double seconds) {
    return (scree_spread){seconds, seconds, seconds};
}

static void print_phases(FILE *log, const scree_summary *summary,
                         const scree_ranks *ranks, double steps) {
    fprintf(log, "\n  %-10s %12s %8s %12s", "phase", "seconds", "share %",
            "ms per step");
    if (ranks->n > 1) fprintf(log, " %12s %12s", "least rank", "most");
    fputc('\n', log);
    double other = summary->seconds;
    for (int p = 0; p < SCREE_PHASE_COUNT; p++) {
        print_phase(log, scree_phase_name((scree_phase)p), ranks->seconds[p],
                    summary->seconds, steps);
        other -= ranks->seconds[p].mean;
    }
    for (int i = 0; i < summary->n_part; i++) {
        char name[40];
        snprintf(name, sizeof name, "- %.30s", summary->parts[i].name);
        print_phase(log, name, alike_on_ranks(summary->parts[i].seconds),
                    summary->seconds, steps);
    }
    if (ranks->n > 1)
        print_phase(log, "- waiting", ranks->waiting, ranks->spread_seconds,
                    fmax((double)ranks->steps, 1.0));
    print_phase(log, "other", alike_on_ranks(fmax(other, 0.0)),
                summary->seconds, steps);
    print_phase(log, "total", alike_on_ranks(summary->seconds),
                summary->seconds, steps);
}

static void print_spread(FILE *log, const char *name, scree_spread s,
                         double unit, const char *unit_text) {
    fprintf(log, "    %-18s %10.4g %10.4g %10.4g %s\n", name, s.least / unit,
            s.mean / unit, s.most / unit, unit_text);
}

static void print_ranks(FILE *log, const scree_world *world,
                        const scree_ranks *ranks) {
    if (ranks->n == 1) return;
    fprintf(log, "\n  %d ranks                 least       mean       most\n",
            ranks->n);
    print_spread(log, "bodies", ranks->bodies, 1, "");
    print_spread(log, "copies of bodies", ranks->copies, 1, "");
    print_spread(log, "contacts", ranks->contacts, 1, "per step");
    print_spread(log, "messages sent", ranks->messages, 1, "per step");
    print_spread(log, "bytes sent", ranks->bytes, 1e3, "kB per step");
    print_spread(log, "memory", ranks->memory, 1e6, "MB");
    fprintf(
        log,
        "    load               %.2f of the mean at most; space was divided "
        "%" PRId64 " times (%s)\n",
        scree_world_imbalance(world), ranks->cuts, scree_partition_method());
    if (ranks->steps < scree_world_steps(world))
        fprintf(log,
                "    (waiting, contacts, messages and bytes: of the %" PRId64
                " steps since the run went on)\n",
                ranks->steps);
}

/* Steps were chosen as long as bodies that touch allow (engine/step/choose.c). */
static bool chose_steps(const scree_cost *cost) {
    return cost->substeps == 0 && cost->step_least < cost->step_most;
}

static void print_work(FILE *log, const scree_summary *summary,
                       const scree_scalars *now, const scree_cost *cost,
                       const scree_ranks *ranks, double steps) {
    fprintf(log, "\n  steps                %" PRId64 "\n",
            scree_world_steps(summary->world));
    if (cost->step_least < cost->step_most)
        fprintf(log,
                "  step sizes           %.3g to %.3g s, %.3g in the mean\n",
                cost->step_least, cost->step_most, now->time / steps);
    if (cost->substeps > 0)
        fprintf(log,
                "  substeps             %" PRId64 " in all; %" PRId64
                " steps were taken back\n",
                cost->substeps, cost->refused);
    fprintf(log, "  bodies               %" PRId64 "\n", now->bodies);
    fprintf(log, "  contacts             %.1f per step (mean)\n",
            ranks->all_contacts / steps);
    fprintf(log, "  iterations           %.1f per step (mean)\n",
            (double)cost->iterations / steps);
    if (cost->parts > 0)
        fprintf(log,
                "  parts                %" PRId64
                " beyond one per step, where crowds landed fast\n",
                cost->parts);
    fprintf(log, "  penetration          %.3g m mean, %.3g m max (last step)\n",
            now->penetration_mean, now->penetration_max);
    fprintf(log, "  contact-iterations   %.3g per second of solve\n",
            ranks->contact_iterations /
                fmax(ranks->seconds[SCREE_PHASE_SOLVE].mean, 1e-9));
    fprintf(log, "  memory               %.0f bytes per body\n",
            ranks->memory.mean * ranks->n /
                fmax((double)scree_world_id_count(summary->world), 1.0));
    fprintf(log, "  Verlet rebuilds      %" PRId64 "\n", cost->rebuilds);
}

static void print_stride(FILE *log, const scree_summary *summary,
                         const scree_cost *cost) {
    fprintf(log, "  speed                %.3g diameters per step at most\n",
            summary->stride);
    if (summary->stride <= SCREE_STRIDE_LARGE || chose_steps(cost)) return;
    fprintf(log,
            "  warning: a body moved %.2g of its diameter in a step (more than "
            "%g is much):\n"
            "           a step %.2g times as long or shorter resolves its "
            "impacts\n",
            summary->stride, SCREE_STRIDE_LARGE,
            SCREE_STRIDE_LARGE / summary->stride);
}

/* Energy that overlap recovery made, against what the run turned over: kinetic
 * energy, losses, work of the walls, and a lift of all bodies by their radius. */
static void print_recovery(FILE *log, const scree_summary *summary,
                           const scree_scalars *now) {
    const double share = 0.01, scale = now->kinetic + fmax(now->dissipated, 0) +
                                       fabs(now->wall_work) + summary->lift;
    if (!(now->recovery_work > share * scale)) return;
    fprintf(log,
            "  warning: working off overlaps added %.3g J, %.2g %% of the %.3g "
            "J that the run turned over\n"
            "           (more than %g %% is much): overlaps are too deep; take "
            "a smaller time.step,\n"
            "           or tighten the solver\n",
            now->recovery_work, 100 * now->recovery_work / scale, scale,
            100 * share);
}

static void print_energy(FILE *log, const scree_scalars *now) {
    fprintf(log,
            "  energy [J]           kinetic %.4g + potential %.4g + dissipated "
            "%.4g\n"
            "                       = inserted %.4g + walls %.4g + recovery "
            "%.4g + scheme error %.1e\n"
            "  dissipated [J]       normal %.4g, friction %.4g, turning %.4g\n",
            now->kinetic, now->potential, now->dissipated, now->inserted,
            now->wall_work, now->recovery_work, now->scheme_error,
            now->dissipated_normal, now->dissipated_friction,
            now->dissipated_turning);
    if (now->force_work != 0 || now->dissipated_drag != 0)
        fprintf(log,
                "  forces [J]           work %.4g, on the side of what is "
                "inserted; drag took %.4g\n",
                now->force_work, now->dissipated_drag);
}

/* A step of rattle has gaps to close beside its solves. */
const char *scree_why_unconverged(scree_stop stop) {
    return stop == SCREE_STOP_TOLERANCE ? "gaps not closed"
                                        : scree_stop_text(stop);
}

static void print_convergence(FILE *log, const scree_summary *summary,
                              const scree_cost *cost) {
    if (cost->unconverged == 0) return;
    fprintf(log,
            "  warning: %" PRId64 " of %" PRId64
            " steps did not reach tolerance %g (worst residual %.2e",
            cost->unconverged, scree_world_steps(summary->world),
            summary->tolerance, summary->worst);
    for (int k = 0; k < SCREE_STOPS; k++)
        if (summary->stops[k] > 0)
            fprintf(log, "; %s: %" PRId64, scree_why_unconverged((scree_stop)k),
                    summary->stops[k]);
    fprintf(log, ")\n");
}

static void print_view(FILE *log, const char *folder) {
    char path[4200], word[4300];
    snprintf(path, sizeof path, "%s/view.py", folder);
    scree_shell_word(path, word, sizeof word);
    fprintf(log, "  open with: paraview --script %s\n", word);
}

/* Reading is collective, also where nothing is said. */
void scree_terminal_summary(scree_terminal *terminal,
                            const scree_summary *summary) {
    scree_scalars now;
    scree_cost cost;
    scree_ranks ranks;
    scree_world_read_scalars(summary->world, &now);
    scree_world_read_cost(summary->world, &cost);
    scree_world_read_ranks(summary->world, &ranks);
    FILE *log = scree_terminal_begin(terminal);
    if (!log) return;
    const double steps = fmax((double)scree_world_steps(summary->world), 1.0);
    print_phases(log, summary, &ranks, steps);
    print_ranks(log, summary->world, &ranks);
    print_work(log, summary, &now, &cost, &ranks, steps);
    print_stride(log, summary, &cost);
    print_energy(log, &now);
    print_recovery(log, summary, &now);
    print_convergence(log, summary, &cost);
    fprintf(log, "\n  result: %s\n", summary->folder);
    if (summary->view) print_view(log, summary->folder);
    scree_terminal_end(terminal);
}
