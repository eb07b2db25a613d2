#include "io/report/svg_plot.h"

#include <math.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"

/* The drawing is WIDE x HIGH; the axes leave these margins. A picture cannot show
 * more than BUCKETS places along x: of more rows the least and the most in each
 * bucket are drawn, so that no peak is lost. */
enum {
    WIDE = 640,
    HIGH = 300,
    LEFT = 70,
    RIGHT = 14,
    TOP = 34,
    BOTTOM = 40,
    BUCKETS = 600
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
    axis x, y;
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
        a->low = floor(a->low);
        a->high = fmax(ceil(a->high), a->low + 1);
    } else if (a->high - a->low <= 1e-12 * fmax(fabs(a->low), fabs(a->high))) {
        const double more = a->low != 0 ? 0.1 * fabs(a->low) : 1;
        a->low -= more;
        a->high += more;
    }
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

static double place_x(const drawing *d, double t) {
    return LEFT +
           (t - d->x.low) / (d->x.high - d->x.low) * (WIDE - LEFT - RIGHT);
}

static double place_y(const drawing *d, double y) {
    return HIGH - BOTTOM -
           (y - d->y.low) / (d->y.high - d->y.low) * (HIGH - TOP - BOTTOM);
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
                place_x(d, v), place_x(d, v), TOP, HIGH - BOTTOM, place_x(d, v),
                HIGH - BOTTOM + 16, v);
        else
            fprintf(d->out,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                    LEFT, WIDE - RIGHT, place_y(d, v), place_y(d, v), LEFT - 6,
                    place_y(d, v) + 4, a->log ? ten_to(v) : v);
    }
}

/* ---- lines --------------------------------------------------------------- */

static void put_point(const drawing *d, size_t row, int column) {
    fprintf(d->out, "%.1f,%.1f ", place_x(d, value_at(d, row, d->time)),
            place_y(d, height_at(d, row, column)));
}

/* The least and the most of rows [first, last), in their order; false: there are
 * none. */
static bool put_bucket(const drawing *d, size_t first, size_t last,
                       int column) {
    size_t least = last, most = last;
    for (size_t i = first; i < last; i++) {
        const double y = height_at(d, i, column);
        if (isnan(y) || !isfinite(value_at(d, i, d->time))) continue;
        if (least == last || y < height_at(d, least, column)) least = i;
        if (most == last || y > height_at(d, most, column)) most = i;
    }
    if (least == last) return false;
    put_point(d, least < most ? least : most, column);
    if (least != most) put_point(d, least < most ? most : least, column);
    return true;
}

static void begin_line(const drawing *d, int k) {
    fprintf(d->out,
            "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" "
            "points=\"",
            inks[k]);
}

/* Where there are no values the line is broken. */
static void put_line(const drawing *d, int k) {
    const size_t n = d->table->n_row, buckets = n < BUCKETS ? n : BUCKETS;
    bool going_on = false;
    begin_line(d, k);
    for (size_t b = 0; b < buckets; b++) {
        const bool drawn = put_bucket(d, n * b / buckets, n * (b + 1) / buckets,
                                      d->columns[k]);
        if (going_on && !drawn) {
            fprintf(d->out, "\"/>\n");
            begin_line(d, k);
        }
        going_on = drawn;
    }
    fprintf(d->out, "\"/>\n");
}

static void put_key(const drawing *d, int k) {
    const char *name = d->table->names[d->columns[k]];
    const int x = LEFT + 4 + k * (WIDE - LEFT - RIGHT) / d->n;
    fprintf(d->out,
            "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"3\" fill=\"%s\"/>"
            "<text x=\"%d\" y=\"%d\">",
            x, TOP - 10, inks[k], x + 18, TOP - 5);
    scree_put_xml(d->out, name);
    fprintf(d->out, "</text>\n");
}

static drawing find_columns(FILE *out, const scree_csv_table *table,
                            const scree_plot *plot) {
    drawing d = {.out = out,
                 .table = table,
                 .time = scree_csv_table_find(table, plot->time),
                 .y = {.log = plot->log}};
    for (int k = 0; k < plot->n; k++) {
        const int column = scree_csv_table_find(table, plot->columns[k]);
        if (column >= 0) d.columns[d.n++] = column;
    }
    return d;
}

bool scree_plot_draw(FILE *out, const scree_csv_table *table,
                     const scree_plot *plot) {
    drawing d = find_columns(out, table, plot);
    if (d.time < 0 || d.n == 0 || !scale_axes(&d)) return false;
    fprintf(out, "<figure><figcaption>");
    scree_put_xml(out, plot->title);
    if (*plot->unit) fprintf(out, " [%s]", plot->unit);
    fprintf(out,
            "</figcaption><svg class=\"plot\" viewBox=\"0 0 %d %d\" "
            "role=\"img\" aria-label=\"",
            WIDE, HIGH);
    scree_put_xml(out, plot->title);
    fprintf(out, "\">\n<g class=\"grid\">\n");
    put_ticks(&d, &d.x, 6, true);
    put_ticks(&d, &d.y, 5, false);
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">t [s]</text>\n</g>\n",
            WIDE - RIGHT, HIGH - 6);
    for (int k = 0; k < d.n; k++) put_line(&d, k);
    for (int k = 0; k < d.n; k++) put_key(&d, k);
    fprintf(out, "</svg></figure>\n");
    return true;
}
