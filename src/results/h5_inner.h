/* SPDX-License-Identifier: Apache-2.0 */
/* What h5.c, h5_read.c and h5_table.c share. */
#ifndef TS_RESULTS_H5_INNER_H
#define TS_RESULTS_H5_INNER_H

#include <hdf5.h>

#include "results/h5.h"

int ts_h5_fail(void); /* TORSOR_EIO, with HDF5's innermost reason */
int ts_h5_check(herr_t status);
int ts_h5_check_id(ts_h5 *out, hid_t id);

/* A text of fixed size in UTF-8, padded with zeros. */
hid_t ts_h5_text_type(size_t size);
int ts_h5_put_words(ts_h5 file, const char *object, const char *name, const char *text);

/* An existing dataset that lies in this file, plainly, and whole: no link to elsewhere, no other
 * storage, no filter, not more than the file holds. Close it by ts_h5_dataset_close. */
int ts_h5_open_plain(ts_h5 *out, ts_h5 file, const char *name);
/* All of a dataset from ts_h5_open_plain whose type and size were checked. */
int ts_h5_fetch_all(ts_h5 set, hid_t type, void *data);

/* The checksum of a dataset that is written once. In a file with checksums, check fails also if it
 * is missing. */
int ts_h5_put_seal(ts_h5 file, const char *name, const void *bytes, size_t size);
int ts_h5_check_seal(ts_h5 file, const char *name, const void *bytes, size_t size);

#endif
