/* Behind the numbers of the law at a site of a shell, in model->numbers: where it is as drawn, axes 1 and 2 of the section there,
 * the thickness. shell.c writes them, results read them. */
#ifndef TS_SHELL_SITE_H
#define TS_SHELL_SITE_H

enum { TS_SHELL_PLACE = 65, TS_SHELL_AXES = 68, TS_SHELL_THICKNESS = 74 };

#endif
