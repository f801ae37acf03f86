/* SPDX-License-Identifier: Apache-2.0 */
/* All public functions that may allocate, with their traps for running out of memory
 * (base/memory.h).
 *
 * ts_api_x does the work of torsor_x and does not depend on the trap. Add one line here for a new
 * function, by the owner of the memory that it allocates:
 *
 *   NEW     it makes a handle, *out, which owns the memory
 *   IN      it changes a handle, which keeps the memory; if there is no memory the handle is broken
 *   ASIDE   it changes no handle; what it gives, a text, is the caller's
 */
#include "api/api.h"
#include "base/memory.h"

#define NEW(name, out, parameters, ...)                 \
    int ts_api_##name parameters;                       \
    int torsor_##name parameters {                      \
        TS_TRAP_NEW(out);                               \
        return TS_TRAP_END(ts_api_##name(__VA_ARGS__)); \
    }
#define IN(name, handle, parameters, ...)               \
    int ts_api_##name parameters;                       \
    int torsor_##name parameters {                      \
        TS_TRAP_IN(handle);                             \
        return TS_TRAP_END(ts_api_##name(__VA_ARGS__)); \
    }
#define ASIDE(name, parameters, ...)                    \
    int ts_api_##name parameters;                       \
    int torsor_##name parameters {                      \
        TS_TRAP_ASIDE();                                \
        return TS_TRAP_END(ts_api_##name(__VA_ARGS__)); \
    }

/* ---- models ---- */

NEW(model_new, out, (torsor_model * *out), out)
NEW(model_parse, out, (torsor_model * *out, const char *text, size_t length, const char *name), out,
    text, length, name)
NEW(model_read, out, (torsor_model * *out, const char *path), out, path)
NEW(model_copy, out, (torsor_model * *out, const torsor_model *model), out, model)
IN(model_set, model, (torsor_model * model, const char *path, const char *value), model, path,
   value)
IN(model_override, model, (torsor_model * model, const char *name, const char *value), model, name,
   value)
IN(model_add, model,
   (torsor_model * model, const char *section, const char *name, const char *value), model, section,
   name, value)
IN(model_channels, model,
   (torsor_model * model, int selectors, const char *const *selector, bool json, char **out), model,
   selectors, selector, json, out)
IN(model_warnings, model, (torsor_model * model, char **out), model, out)
ASIDE(model_get, (const torsor_model *model, const char *path, char **out), model, path, out)
ASIDE(model_keys, (const torsor_model *model, const char *path, char **out), model, path, out)
ASIDE(model_text, (const torsor_model *model, char **out), model, out)
ASIDE(model_whole, (const torsor_model *model, char **out), model, out)
ASIDE(schema, (char **out), out)
ASIDE(mistakes_page, (bool colour, char **out), colour, out)
ASIDE(number, (const char *text, const char *unit, double *out), text, unit, out)

/* ---- options ---- */

NEW(options_new, out, (torsor_options * *out, const char *use), out, use)
IN(options_set, options, (torsor_options * options, const char *name, const char *value), options,
   name, value)
ASIDE(options_list, (const char *use, char **out), use, out)

/* ---- runs ---- */

NEW(run_new, out, (torsor_run * *out, const torsor_model *model), out, model)
NEW(run_begin, out, (torsor_run * *out, const torsor_model *model, const torsor_options *options),
    out, model, options)
NEW(run_resume, out, (torsor_run * *out, const char *results, const torsor_options *options), out,
    results, options)
NEW(run_restart, out, (torsor_run * *out, const char *results, int64_t frame, double t_end), out,
    results, frame, t_end)
IN(run_record, run, (torsor_run * run, const char *path), run, path)
IN(run_finish, run, (torsor_run * run), run)
IN(run_complete, run, (torsor_run * run), run)
IN(run_step, run, (torsor_run * run), run)
IN(run_on_event, run, (torsor_run * run, const torsor_event_listener *listener), run, listener)
IN(run_to, run, (torsor_run * run, double t), run, t)
ASIDE(run_resolution, (const torsor_run *run, int *level, char **out), run, level, out)
ASIDE(run_measure, (const torsor_run *run, int i, torsor_measure *out), run, i, out)
ASIDE(run_measure_text, (const torsor_run *run, int i, char **out), run, i, out)
ASIDE(run_part_describe, (const torsor_run *run, int i, char **out), run, i, out)

ASIDE(run_scene, (const torsor_run *run, char **out), run, out)
ASIDE(run_attachments, (const torsor_run *run, char **out), run, out)
NEW(probe_new, out,
    (torsor_probe * *out, const torsor_run *run, int selectors, const char *const *selector), out,
    run, selectors, selector)
IN(probe_read, probe, (torsor_probe * probe, double *out), probe, out)
NEW(paint_new, out, (torsor_paint * *out, const torsor_run *run, const char *key), out, run, key)
IN(paint_read, paint, (torsor_paint * paint, float *out), paint, out)

/* ---- modes ---- */

NEW(modes_new, out,
    (torsor_modes * *out, const torsor_model *model, const torsor_modal_options *options), out,
    model, options)
NEW(modes_find, out,
    (torsor_modes * *out, const torsor_model *model, const torsor_options *options), out, model,
    options)
ASIDE(modes_free_words, (const torsor_modes *modes, int i, char **out), modes, i, out)
ASIDE(modes_get, (const torsor_modes *modes, int i, torsor_mode *out), modes, i, out)
ASIDE(modes_write, (const torsor_modes *modes, const char *path), modes, path)
ASIDE(modes_report, (const torsor_modes *modes, const char *path), modes, path)
NEW(campbell_new, out,
    (torsor_campbell * *out, const torsor_model *model, const torsor_options *options), out, model,
    options)
ASIDE(campbell_report, (const torsor_campbell *campbell, const char *path), campbell, path)

/* ---- results ---- */

NEW(results_open, out, (torsor_results * *out, const char *path), out, path)
ASIDE(results_check, (const char *path), path)
ASIDE(output_check, (const char *kind, const char *path, const torsor_model *model), kind, path,
      model)
ASIDE(output_write, (const char *kind, const char *path, const char *text), kind, path, text)
ASIDE(results_outputs, (const torsor_results *results, char **out), results, out)
IN(results_attachments, results, (torsor_results * results, char **out), results, out)
IN(results_export, results,
   (torsor_results * results, const char *format, const char *place, int64_t every, int64_t *states,
    char **file),
   results, format, place, every, states, file)
ASIDE(report, (int count, const char *const *results, const char *path, int64_t frames), count,
      results, path, frames)
ASIDE(report_check, (const char *path), path)
ASIDE(results_text, (const torsor_results *results, char **out), results, out)
IN(results_info, results, (torsor_results * results, bool json, char **out), results, json, out)
IN(results_channels, results,
   (torsor_results * results, int selectors, const char *const *selector, bool json, char **out),
   results, selectors, selector, json, out)
IN(results_csv, results,
   (torsor_results * results, int selectors, const char *const *selector, const char *path),
   results, selectors, selector, path)
IN(results_read, results,
   (torsor_results * results, int i, int64_t first, int64_t rows, double *numbers), results, i,
   first, rows, numbers)
IN(results_contacts, results, (torsor_results * results, int64_t frame, int *count), results, frame,
   count)
NEW(results_table, out,
    (torsor_table * *out, torsor_results *results, int selectors, const char *const *selector), out,
    results, selectors, selector)
NEW(results_catalogue, out, (torsor_table * *out, torsor_results *results), out, results)
ASIDE(table_plot,
      (const torsor_table *table, const char *title, const char *over, const char *form, int width,
       int height, char **out),
      table, title, over, form, width, height, out)

IN(results_measure, results,
   (torsor_results * results, const char *measure, double *out, char **unit), results, measure, out,
   unit)

/* ---- studies ---- */

NEW(converge, out, (torsor_study * *out, const torsor_model *model, const torsor_options *options),
    out, model, options)
NEW(compare, out, (torsor_study * *out, const torsor_model *model, const torsor_options *options),
    out, model, options)
NEW(spectrum, out, (torsor_study * *out, const torsor_options *options), out, options)
IN(study_write, study, (torsor_study * study, const char *form, char **out), study, form, out)
NEW(resolve_begin, out,
    (torsor_resolve * *out, const torsor_run *run, const torsor_options *options), out, run,
    options)
ASIDE(resolve_check, (const torsor_resolve *resolve, const char *results), resolve, results)
NEW(resolve_finish, out, (torsor_study * *out, torsor_resolve *resolve, const char *results), out,
    resolve, results)
NEW(plan_read, out, (torsor_plan * *out, const char *path), out, path)
NEW(plan_parse, out, (torsor_plan * *out, const char *text, size_t length, const char *path), out,
    text, length, path)
ASIDE(journals_write,
      (int count, const char *const *journals, const char *form, const char *path, int64_t *cases),
      count, journals, form, path, cases)
