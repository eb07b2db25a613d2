#include "cases/commands/manual.h"

#include <string.h>

#include "io/schema/reference.h"
#include "io/version.h"

/* ---- options ------------------------------------------------------------- */

/* "--set" of "--set key=value ...]", "-o" of "-o FILE]"; 0: no option. */
static size_t option_length(const char *text) {
    if (*text != '-') return 0;
    const size_t n =
        strspn(text, "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return n > 1 ? n : 0;
}

void scree_print_options(const scree_command *command, FILE *out) {
    const char *usage = command->usage;
    for (const char *at = usage; *at; at++) {
        const bool begins = at == usage || strchr(" [(|", at[-1]);
        const size_t n = begins ? option_length(at) : 0;
        if (n > 0) fprintf(out, "%.*s\n", (int)n, at);
    }
    fprintf(out, "--help\n");
}

/* ---- the page ------------------------------------------------------------ */

/* What has columns keeps them. */
static void put_lines(const char *text, FILE *out) {
    if (!*text) return;
    fputs(".PP\n.nf\n", out);
    scree_put_roff(text, out);
    if (text[strlen(text) - 1] != '\n') fputc('\n', out);
    fputs(".fi\n", out);
}

static void put_command(const scree_command *c, FILE *out) {
    fprintf(out, ".SS scree %s\n.PP\n.B scree ", c->name);
    scree_put_roff(c->usage, out);
    fputs("\n.PP\n", out);
    scree_put_roff(c->about, out);
    fputs(".\n", out);
    put_lines(c->help, out);
}

void scree_print_manual(FILE *out) {
    fprintf(out, ".TH SCREE 1 \"\" \"scree %s\" \"Scree\"\n",
            scree_build_version);
    fputs(
        ".SH NAME\nscree \\- simulate granular flow and other motion with many "
        "hard contacts\n.SH SYNOPSIS\n.B scree\n.I command\n.RI [ arguments "
        "]\n.SH DESCRIPTION\nScree computes the motion of rigid bodies that "
        "touch, as a case file describes it, and writes\nfiles that ParaView "
        "opens. The case file is described in\n.BR scree\\-case (5).\n.SH "
        "COMMANDS\n",
        out);
    const scree_command *c;
    for (int i = 0; (c = scree_command_get(i)); i++) put_command(c, out);
    fputs(".SH EXIT STATUS\n", out);
    const char *codes = strchr(scree_exit_help, '\n');
    put_lines(codes ? codes + 1 : "", out);
    fputs(".SH SEE ALSO\n.BR scree\\-case (5)\n", out);
}
