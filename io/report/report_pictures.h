/* report_pictures.h: pictures of a report, in it as text. */
#ifndef SCREE_IO_REPORT_PICTURES_H
#define SCREE_IO_REPORT_PICTURES_H

#include <stdio.h>

#include "io/report/report.h"
#include "io/report/trouble.h"

/* Those of the options, and of the PNG files of the folder (which scripts of the output
 * catalyst write) the first, one in the middle and the last. */
void scree_page_put_pictures(FILE *out, const char *folder,
                             const scree_page_options *options,
                             scree_trouble *trouble);

#endif
