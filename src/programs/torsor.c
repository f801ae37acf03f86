/* SPDX-License-Identifier: Apache-2.0 */
/* The program torsor: the command line on one process. */
#include "cli/cli.h"

int main(int count, char **word) { return cli_main(count, word); }
