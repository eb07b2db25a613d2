/* table.c: the commands of the program, from commands.def. */
#include <string.h>

#include "cases/commands/command.h"

#define SCREE_COMMAND(name) extern const scree_command scree_command_##name;
#include "cases/commands/commands.def"
#undef SCREE_COMMAND

const scree_command *scree_command_get(int i) {
    static const scree_command *const table[] = {
#define SCREE_COMMAND(name) &scree_command_##name,
#include "cases/commands/commands.def"
#undef SCREE_COMMAND
    };
    const int n = (int)(sizeof table / sizeof *table);
    return i >= 0 && i < n ? table[i] : NULL;
}

const scree_command *scree_command_find(const char *name) {
    const scree_command *command;
    for (int i = 0; (command = scree_command_get(i)); i++)
        if (strcmp(command->name, name) == 0) return command;
    return NULL;
}
