#include "io/report/svg_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"

/* The drawing is WIDE x HIGH; the axes leave these margins. A picture cannot show
 * more than BUCKETS places along x: of more rows the least and the most in each
 * bucket are drawn, so that no peak is lost. A letter of a key takes LETTER. What
 * lies DECADES below the top of a logarithmic axis is rounding, and drawn at its end. */
enum {
    WIDE = 640,
    HIGH = 300,
    LEFT = 70,
    RIGHT = 14,
    TOP = 34,
    BOTTOM = 40,
    BUCKETS = 600,
    LETTER = 6,
    DECADES = 12
};

static const char *const inks[SCREE_PLOT_LINES] = {
    "#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#555555"};

void scree_put_xml(FILE *out, const char *text) {
    for (; *text; text++) switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default: /* control characters are not allowed in XML */
            fputc((unsigned char)*text < 0x20 && !strchr("\n\t", *text) ? '?'
                                                                        : *text,
                  out);
        }
}

/* ---- axes ---------------------------------------------------------------- */

typedef struct axis {
    double low, high; /* of log10 y if `log` */
    bool log;
} axis;

typedef struct drawing {
    FILE *out;
    const scree_csv_table *table;
    int time;
    int n, columns[SCREE_PLOT_LINES]; /* those that are there */
    axis x, y;    /* of time and of values, whichever way they run */
    bool upright; /* times upwards */
} drawing;

/* The logarithm to the base ten, and back. */
static const double LOG_TEN = 2.302585092994046;

static double decades_of(double y) {
    return scree_log(y) / LOG_TEN;
}

static double ten_to(double decades) {
    return scree_exp(LOG_TEN * decades);
}

static double value_at(const drawing *d, size_t row, int column) {
    return d->table->values[row * (size_t)d->table->n_column + (size_t)column];
}

/* NAN: not to be drawn. */
static double height_at(const drawing *d, size_t row, int column) {
    const double y = value_at(d, row, column);
    if (!d->y.log) return isfinite(y) ? y : NAN;
    return y > 0 && isfinite(y) ? decades_of(y) : NAN;
}

static void include_value(axis *a, double v) {
    if (!isfinite(v)) return;
    a->low = fmin(a->low, v);
    a->high = fmax(a->high, v);
}

/* A line that does not change needs some height all the same. */
static void widen_axis(axis *a) {
    if (a->log) {
        a->high = ceil(a->high);
        a->low = fmax(floor(a->low), a->high - DECADES);
        if (a->low == a->high) a->low--;
    } else if (a->high - a->low <= 1e-12 * fmax(fabs(a->low), fabs(a->high))) {
        const double more = a->low != 0 ? 0.1 * fabs(a->low) : 1;
        a->low -= more;
        a->high += more;
    }
}

/* Does a value above 0 differ from another one? */
static bool has_changes(const drawing *d) {
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < d->table->n_row; i++)
        for (int k = 0; k < d->n; k++) {
            const double y = value_at(d, i, d->columns[k]);
            if (!(y > 0) || !isfinite(y)) continue;
            low = fmin(low, y);
            high = fmax(high, y);
        }
    return high - low > 1e-9 * high;
}

static bool scale_axes(drawing *d) {
    d->x = (axis){INFINITY, -INFINITY, false};
    d->y.low = INFINITY;
    d->y.high = -INFINITY;
    for (size_t i = 0; i < d->table->n_row; i++) {
        include_value(&d->x, value_at(d, i, d->time));
        for (int k = 0; k < d->n; k++)
            include_value(&d->y, height_at(d, i, d->columns[k]));
    }
    if (!(d->x.low <= d->x.high) || !(d->y.low <= d->y.high)) return false;
    widen_axis(&d->x);
    widen_axis(&d->y);
    return true;
}

static double place_x(const axis *a, double v) {
    return LEFT + (v - a->low) / (a->high - a->low) * (WIDE - LEFT - RIGHT);
}

static double place_y(const axis *a, double v) {
    return HIGH - BOTTOM -
           (v - a->low) / (a->high - a->low) * (HIGH - TOP - BOTTOM);
}

/* 1, 2 or 5 times a power of ten, some `n` times in the axis. */
static double tick_step(const axis *a, int n) {
    const double rough = (a->high - a->low) / n;
    if (a->log) return fmax(1, ceil(rough));
    const double power = ten_to(floor(decades_of(rough)));
    for (int k = 0; k < 3; k++) {
        const double step = (double[]){1, 2, 5}[k] * power;
        if (step >= rough) return step;
    }
    return 10 * power;
}

static void put_ticks(const drawing *d, const axis *a, int n, bool across) {
    const double step = tick_step(a, n);
    const long first = (long)ceil(a->low / step - 1e-9),
               last = (long)floor(a->high / step + 1e-9);
    for (long k = first; k <= last; k++) {
        const double v = (double)k * step;
        if (across)
            fprintf(
                d->out,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                place_x(a, v), place_x(a, v), TOP, HIGH - BOTTOM, place_x(a, v),
                HIGH - BOTTOM + 16, a->log ? ten_to(v) : v);
        else
            fprintf(d->out,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                    LEFT, WIDE - RIGHT, place_y(a, v), place_y(a, v), LEFT - 6,
                    place_y(a, v) + 4, a->log ? ten_to(v) : v);
    }
}

/* ---- lines --------------------------------------------------------------- */

static void put_point(const drawing *d, size_t row, int column) {
    const double t = value_at(d, row, d->time),
                 y = fmax(height_at(d, row, column), d->y.low);
    fprintf(d->out, "%.1f,%.1f ",
            d->upright ? place_x(&d->y, y) : place_x(&d->x, t),
            d->upright ? place_y(&d->x, t) : place_y(&d->y, y));
}

/* The least and the most of rows [first, last), in their order; returns how many
 * points these are. */
static int put_bucket(const drawing *d, size_t first, size_t last, int column) {
    size_t least = last, most = last;
    for (size_t i = first; i < last; i++) {
        const double y = height_at(d, i, column);
        if (isnan(y) || !isfinite(value_at(d, i, d->time))) continue;
        if (least == last || y < height_at(d, least, column)) least = i;
        if (most == last || y > height_at(d, most, column)) most = i;
    }
    if (least == last) return 0;
    put_point(d, least < most ? least : most, column);
    if (least != most) put_point(d, least < most ? most : least, column);
    return least != most ? 2 : 1;
}

static void begin_line(const drawing *d, int k) {
    fprintf(d->out,
            "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" "
            "stroke-linecap=\"round\" points=\"",
            inks[k]);
}

/* Where there are no values the line is broken. A point with none beside it is drawn
 * twice: its round ends make a dot. */
static void put_line(const drawing *d, int k) {
    const size_t n = d->table->n_row, buckets = n < BUCKETS ? n : BUCKETS;
    int points = 0;
    size_t last = 0; /* where the line was gone on with */
    begin_line(d, k);
    for (size_t b = 0; b <= buckets; b++) {
        const int more = b < buckets
                             ? put_bucket(d, n * b / buckets,
                                          n * (b + 1) / buckets, d->columns[k])
                             : 0;
        if (more > 0) last = b;
        if (points == 1 && more == 0)
            put_bucket(d, n * last / buckets, n * (last + 1) / buckets,
                       d->columns[k]);
        if (points > 0 && more == 0 && b < buckets) {
            fprintf(d->out, "\"/>\n");
            begin_line(d, k);
        }
        points = more > 0 ? points + more : 0;
    }
    fprintf(d->out, "\"/>\n");
}

/* A name that is too long for its place ends in dots, and is told whole by a touch. */
static void put_name(FILE *out, const char *name, int letters) {
    int n = 0;
    const char *end = name;
    for (; *end && n < letters; n++) /* a letter may have several bytes */
        do end++;
        while (((unsigned char)*end & 0xc0) == 0x80);
    char *start = *end ? strndup(name, (size_t)(end - name)) : NULL;
    scree_put_xml(out, start ? start : name);
    if (start) {
        fprintf(out, "&#8230;<title>");
        scree_put_xml(out, name);
        fprintf(out, "</title>");
    }
    free(start);
}

static void put_key(const drawing *d, int k) {
    const int wide = (WIDE - LEFT - RIGHT) / d->n, x = LEFT + 4 + k * wide;
    fprintf(d->out,
            "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"3\" fill=\"%s\"/>"
            "<text x=\"%d\" y=\"%d\">",
            x, TOP - 10, inks[k], x + 18, TOP - 5);
    put_name(d->out, d->table->names[d->columns[k]],
             (wide - 18 - LETTER) / LETTER);
    fprintf(d->out, "</text>\n");
}

static drawing find_columns(FILE *out, const scree_csv_table *table,
                            const scree_plot *plot) {
    drawing d = {.out = out,
                 .table = table,
                 .time = scree_csv_table_find(table, plot->time),
                 .y = {.log = plot->log},
                 .upright = plot->upright};
    for (int k = 0; k < plot->n; k++) {
        const int column = scree_csv_table_find(table, plot->columns[k]);
        if (column >= 0) d.columns[d.n++] = column;
    }
    return d;
}

/* What the axis is that is not in the title. */
static void put_label(const drawing *d, const char *label) {
    if (d->upright)
        fprintf(d->out, "<text x=\"6\" y=\"%d\">", TOP - 5);
    else
        fprintf(d->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">",
                WIDE - RIGHT, HIGH - 6);
    scree_put_xml(d->out, label);
    fprintf(d->out, "</text>\n");
}

bool scree_plot_draw(FILE *out, const scree_csv_table *table,
                     const scree_plot *plot) {
    drawing d = find_columns(out, table, plot);
    if (d.time < 0 || d.n == 0 || !scale_axes(&d) ||
        (plot->changes && !has_changes(&d)))
        return false;
    fprintf(out, "<figure><figcaption>");
    scree_put_xml(out, plot->title);
    if (*plot->unit) fprintf(out, " [%s]", plot->unit);
    fprintf(out,
            "</figcaption><svg class=\"plot\" viewBox=\"0 0 %d %d\" "
            "role=\"img\" aria-label=\"",
            WIDE, HIGH);
    scree_put_xml(out, plot->title);
    fprintf(out, "\">\n<g class=\"grid\">\n");
    put_ticks(&d, d.upright ? &d.y : &d.x, 6, true);
    put_ticks(&d, d.upright ? &d.x : &d.y, 5, false);
    put_label(&d, plot->across ? plot->across : "t [s]");
    fprintf(out, "</g>\n");
    for (int k = 0; k < d.n; k++) put_line(&d, k);
    for (int k = 0; k < d.n; k++) put_key(&d, k);
    fprintf(out, "</svg></figure>\n");
    return true;
}
