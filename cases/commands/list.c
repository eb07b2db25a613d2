/* list.c: scree list, what a case can name. */
#include <stdio.h>
#include <string.h>

#include "cases/commands/command.h"
#include "engine/scree_model.h"
#include "io/case/yaml/case_message.h"
#include "io/output/output.h"
#include "io/schema/case_schema.h"
#include "solvers/problem/method.h"

static const char *output_entry(int i, const char **about) {
    const scree_output_ops *ops = scree_output_get(i);
    if (!ops) return NULL;
    *about = ops->about;
    return ops->name;
}

/* Where the method runs, and what it does. */
static const char *method_entry(int i, const char **about) {
    static const char *const words[] = {"worlds", "files", "models"};
    static char text[200];
    const scree_method *m = scree_method_get(i);
    int used = 0;
    if (!m) return NULL;
    for (int k = 0; k < 3; k++)
        if (m->runs[k])
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s",
                             used ? ", " : "", words[k]);
    snprintf(text + used, sizeof text - (size_t)used, ": %s", m->about);
    *about = text;
    return m->name;
}

static const char *model_entry(int i, const char **about) {
    const scree_model_ops *ops = scree_model_get(i);
    if (!ops) return NULL;
    *about = ops->about;
    return ops->name;
}

static int list_tables(void) {
    scree_print_table("steppers", scree_stepper_name);
    scree_print_table("solvers (worlds: scree run; files: scree solve)",
                      method_entry);
    scree_print_table("shapes", scree_shape_name);
    scree_print_table("outputs", output_entry);
    scree_print_table("models (scree list MODEL tells the parameters)",
                      model_entry);
    return EXIT_OK;
}

static int unknown_model(const char *given) {
    scree_nearest best = {.given = given};
    const scree_model_ops *ops;
    for (int i = 0; (ops = scree_model_get(i)); i++)
        scree_nearest_consider(&best, ops->name);
    return scree_unknown("model", &best);
}

static int list_model(const char *name) {
    const scree_model_ops *model = scree_model_find(name);
    if (!model) return unknown_model(name);
    printf("%s: %s\nparameters\n", model->name, model->about);
    for (int i = 0; i < model->n_parameter; i++) {
        const scree_parameter *p = &model->parameters[i];
        char range[80];
        scree_range_words(p->range, range);
        printf("  %-16s %-12g %-10s %s;%s\n", p->name, p->value,
               p->unit ? p->unit : "", p->about ? p->about : "",
               *range ? range : " any number");
    }
    return EXIT_OK;
}

extern const scree_command scree_command_list;

static const scree_option options[] = {{"--model", true, scree_take_model},
                                       {"--help", false, scree_take_help},
                                       {0}};

static int list_asked(const scree_arguments *a) {
    if (a->help) return scree_print_help(&scree_command_list);
    const int code = scree_load_models(a);
    if (code != EXIT_OK) return code;
    return a->path ? list_model(a->path) : list_tables();
}

static int list(int argc, char **argv) {
    scree_arguments a = {.what = "model"};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK) code = list_asked(&a);
    scree_free_arguments(&a);
    return code;
}

const scree_command scree_command_list = {
    "list",
    "list [MODEL] [--model LIBRARY.so ...]",
    "list the steppers, solvers, shapes, outputs and models, or the "
    "parameters of a model",
    "  --model FILE     load a library of models, which executes code\n",
    list,
    false};
