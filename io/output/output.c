#include "io/output/output.h"

#include <stdarg.h>
#include <string.h>

#define SCREE_OUTPUT(name) extern const scree_output_ops scree_output_##name;
#include "io/outputs.def"
#undef SCREE_OUTPUT

static const scree_output_ops *const table[] = {
#define SCREE_OUTPUT(name) &scree_output_##name,
#include "io/outputs.def"
#undef SCREE_OUTPUT
};

const scree_comm *scree_output_comm(const scree_output_context *context) {
    return context->comm ? context->comm : scree_comm_alone();
}

bool scree_output_wants(const scree_output_context *context, int field) {
    const scree_case_output *output = context->output;
    return !output || !output->fields || (output->fields >> field & 1);
}

bool scree_output_needs_paths(const scree_case *source) {
    for (int i = 0; i < source->n_output; i++) {
        const scree_output_ops *ops =
            scree_output_find(source->outputs[i].sink);
        if (ops && ops->paths) return true;
    }
    return false;
}

void scree_output_warn(const scree_output_context *context, const char *format,
                       ...) {
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (context->warn) context->warn(context->warn_to, text);
}

const scree_output_ops *scree_output_get(int i) {
    const int n = (int)(sizeof table / sizeof *table);
    return i >= 0 && i < n ? table[i] : NULL;
}

const scree_output_ops *scree_output_find(const char *name) {
    for (int i = 0; scree_output_get(i); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}
