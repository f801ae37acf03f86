/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs: a run owns the values that are set from outside, and the model does not change.
 *
 * Two systems over one model, stepped in turn with different inputs of a motor, a load, a pressure
 * and a motion, go the same way bit for bit as two systems that have a model each. Systems over one
 * model that know nothing of inputs cannot: they would hear each other's. A state that is copied
 * takes its inputs with it.
 */
#include "scene.h"

static const char MODEL[] = SCENE_HEAD
    "signals: {push: {input: 0}, pull: {input: 2}, blow: {input: 0}, place: {input: 0.1}}\n"
    "bodies:\n"
    "  cart: {mass: 2, inertia: [1, 1, 1]}\n"
    "  sled: {mass: 1, inertia: [1, 2, 3], position: [0.1, 1, 0]}\n"
    "  ball: {mass: 1, inertia: [1, 1, 1], position: [0, 2, 0]}\n"
    "meshes: {cells: {type: box, size: [0.2, 0.1, 0.1], position: [0, 3, 0], divisions: [1, 1, "
    "1]}}\n"
    "materials: {rubber: {E: 1e5, nu: 0.3, density: 1000}}\n"
    "solids: {block: {mesh: cells, material: rubber}}\n"
    "joints:\n"
    "  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}\n"
    "  track: {type: prismatic, bodies: [cart, sled], at: [0, 1, 0], axis: x}\n"
    "loads:\n"
    "  motor: {type: motor, joint: rail, force: push}\n"
    "  rope: {type: force, body: ball, force: [0, pull, 0]}\n"
    "  wind: {type: pressure, faces: block.x-, pressure: blow}\n"
    "motions: {drive: {joint: track, displacement: place}}\n";

enum { STEPS = 40, INPUTS = 4 };
static const double H = 0.01;

static const char *const NAMES[INPUTS] = {"push", "pull", "blow", "place"};

static ts_input *input_named(const scene *s, const char *name) {
    for (int i = 0; i < s->model->signals_count; i++) {
        const ts_signal *signal = &s->model->signals[i];
        if (signal->kind == TS_SIGNAL_INPUT && strcmp(signal->name, name) == 0)
            return &s->system->state.inputs[signal->input];
    }
    fail_msg("there is no input '%s'", name);
    return NULL;
}

/* Different for every run, step and input. */
static void set(scene *s, int run, int n) {
    static const double size[INPUTS] = {3, 2, 50, 0.05};
    for (int k = 0; k < INPUTS; k++)
        input_named(s, NAMES[k])->value = size[k] * sin(0.3 * (n + 1) * (run + 1) + k);
}

static void make(scene *s) {
    for (int i = 0; i < s->model->inputs; i++)
        ts_input_begin(&s->system->state.inputs[i], s->system->state.t, H);
    ts_step_result result;
    assert_int_equal(ts_stepper_step(s->st, H, &result), 0);
}

static void step(scene *s, int run, int n) {
    set(s, run, n);
    make(s);
}

static void begin(scene *s, const char *scheme) {
    scene_begin(s, scheme, scene_options(scheme, 0.5));
}

static void assert_same(const scene *a, const scene *b) {
    size_t ambient = (size_t)(3 * a->model->slots) * sizeof(double);
    assert_memory_equal(a->system->state.q, b->system->state.q, ambient);
    assert_memory_equal(a->system->state.v, b->system->state.v, ambient);
    assert_memory_equal(&a->system->ledger, &b->system->ledger, sizeof a->system->ledger);
}

static void end(scene *s, bool model) {
    ts_stepper_free(s->st);
    ts_system_free(s->system);
    if (model) ts_document_free(s->document);
}

static void runs_over_one_model_do_not_hear_each_other(void **state) {
    (void)state;
    static const char *const schemes[] = {"EP", "ED"};
    for (int k = 0; k < 2; k++) {
        scene shared[2], own[2];
        scene_read(&shared[0], MODEL);
        assert_int_equal(shared[0].model->inputs, INPUTS);
        shared[1] = shared[0];
        for (int r = 0; r < 2; r++) begin(&shared[r], schemes[k]);
        for (int r = 0; r < 2; r++) {
            scene_read(&own[r], MODEL);
            begin(&own[r], schemes[k]);
            for (int n = 0; n < STEPS; n++) step(&own[r], r, n);
        }
        for (int n = 0; n < STEPS; n++) {
            for (int r = 0; r < 2; r++) set(&shared[r], r, n);
            for (int r = 0; r < 2; r++) make(&shared[r]);
        }
        for (int r = 0; r < 2; r++) assert_same(&shared[r], &own[r]);
        size_t ambient = (size_t)(3 * own[0].model->slots) * sizeof(double);
        assert_true(memcmp(own[0].system->state.q, own[1].system->state.q, ambient) != 0);
        for (int r = 0; r < 2; r++) end(&shared[r], r == 1), end(&own[r], true);
    }
}

/* Every use of an input has its say: without it the run ends elsewhere. */
static void every_input_counts(void **state) {
    (void)state;
    for (int left = 0; left < INPUTS; left++) {
        scene all, others;
        scene_read(&all, MODEL), scene_read(&others, MODEL);
        begin(&all, "EP"), begin(&others, "EP");
        for (int n = 0; n < STEPS; n++) {
            step(&all, 0, n);
            ts_input *silent = input_named(&others, NAMES[left]), kept = *silent;
            ts_step_result result;
            for (int i = 0; i < others.model->inputs; i++)
                others.system->state.inputs[i] = all.system->state.inputs[i];
            *silent = kept;
            assert_int_equal(ts_stepper_step(others.st, H, &result), 0);
        }
        size_t ambient = (size_t)(3 * all.model->slots) * sizeof(double);
        assert_true(memcmp(all.system->state.q, others.system->state.q, ambient) != 0);
        end(&all, true), end(&others, true);
    }
}

/* As drawn at first; a copy of a state goes on as the state does. */
static void a_copy_of_a_state_has_its_inputs(void **state) {
    (void)state;
    scene a, b;
    scene_read(&a, MODEL);
    b = a;
    begin(&a, "ED"), begin(&b, "ED");
    assert_true(input_named(&a, "pull")->reached == 2 && input_named(&a, "place")->value == 0.1);
    for (int n = 0; n < STEPS / 2; n++) step(&a, 0, n);
    ts_stepper_forget(a.st);
    ts_state_copy(a.model, &b.system->state, &a.system->state);
    b.system->ledger = a.system->ledger, b.system->energy_start = a.system->energy_start;
    for (int n = STEPS / 2; n < STEPS; n++) step(&a, 0, n), step(&b, 0, n);
    assert_same(&a, &b);
    end(&a, false), end(&b, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_over_one_model_do_not_hear_each_other),
        cmocka_unit_test(every_input_counts),
        cmocka_unit_test(a_copy_of_a_state_has_its_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
