/* fclib_crop.h: a sample of FCLIB with its first contacts and degrees of freedom alone,
 * which is read a hundred times as fast, and in which an altered byte is rarely one of
 * a thousand numbers. All its datasets have their names, so that seeds fit both. */
#ifndef SCREE_TESTS_FUZZ_FCLIB_CROP_H
#define SCREE_TESTS_FUZZ_FCLIB_CROP_H

void fuzz_fclib_crop(const char *from, const char *to);

#endif
