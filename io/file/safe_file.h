/* safe_file.h: opening files in folders where others may write as well.
 *
 * Who can put a symbolic link or a FIFO where an output is to stand must neither
 * lead the output to another file nor hold the program up. So outputs are regular
 * files under their own name: links at the end of a path are not followed (folders
 * on the way may be links), temporary files are new, and nothing waits for the
 * other end of a FIFO.
 *
 * A run holds the folder of its results open. All functions here take the names of
 * files in it, "folder/name" as the run was given the folder, for files in what
 * was this folder when it began: who renames it later, and puts a link to another
 * one in its place, leads nothing there. */
#ifndef SCREE_IO_SAFE_FILE_H
#define SCREE_IO_SAFE_FILE_H

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "engine/base/error.h"

/* Holds a folder, and lets it go; it may be held several times. By the main thread
 * alone. */
scree_status scree_folder_hold(const char *folder, scree_error *error);
void scree_folder_release(const char *folder);
/* Its entries, NULL with errno. */
DIR *scree_folder_list(const char *folder);
/* The folder of a file itself, for fsync; -1 with errno. */
int scree_folder_of(const char *path);
/* Makes it the working folder; false with errno. */
bool scree_folder_enter(const char *folder);

/* A name for libraries that open files by themselves; free() it. NULL: no memory. */
char *scree_file_name(const char *path);

/* As lstat, unlink and rename. */
int scree_file_look(const char *path, struct stat *about);
int scree_file_remove(const char *path);
int scree_file_rename(const char *from, const char *to);

/* For reading: a regular file, or a link to one. `what` is for the message. */
scree_status scree_file_open(const char *path, const char *what, int *fd,
                             size_t *size, scree_error *error);

/* For writing what is there or new. `flags`: O_WRONLY or O_RDWR, with O_APPEND or
 * O_TRUNC or none. */
scree_status scree_file_write(const char *path, int flags, int *fd,
                              scree_error *error);
/* The same from the beginning, as a stream. */
scree_status scree_file_rewrite(const char *path, FILE **file,
                                scree_error *error);

/* Refuses what cannot be replaced by a file: a link, a folder, a FIFO, a device. */
scree_status scree_file_may_replace(const char *path, scree_error *error);

/* Makes way for a new temporary file: what an earlier run left, or somebody put
 * there, is removed; a folder is refused. */
scree_status scree_file_clear(const char *temporary, scree_error *error);
/* A new file for reading and writing, after scree_file_clear; -1 with errno. */
int scree_file_new(const char *temporary);

#endif
