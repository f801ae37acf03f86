/* SPDX-License-Identifier: Apache-2.0 */
/* Files of Gmsh: fixtures written by Gmsh 4.8.4 from the .geo files beside them, files made here
 * with other byte orders and sizes of numbers, and refused files.
 *
 * Areas and volumes are those of the geometry: 2 x 1 x 0.5 (box), the unit cube, 3 x sqrt 5
 * (plate).
 */
#include "scene.h"

#include "meshfile/gmsh.h"
#include "reader/text/source.h"

static char *read_data(const char *name, size_t *length) {
    char path[1000], why[120];
    snprintf(path, sizeof path, "%s/tests/data/gmsh/%s", getenv("TORSOR_SOURCE_DIR"), name);
    char *text = ts_read_whole(path, length, why, sizeof why);
    if (!text) fail_msg("%s: %s", path, why);
    return text;
}

static ts_mesh *parse_data(const char *name) {
    size_t length;
    char *text = read_data(name, &length);
    ts_gmsh_problem problem;
    ts_mesh *mesh;
    if (ts_gmsh_parse(&mesh, text, length, &problem))
        fail_msg("%s: byte %zu: %s", name, problem.offset, problem.message);
    free(text);
    return mesh;
}

/* On straight-sided cells every node lies where the corners put it: the order of the nodes is
 * right. */
static void check_order(const ts_mesh *m) {
    for (int c = 0; c < m->cells; c++) {
        const ts_cell_info *about = ts_cell_about(m->cell[c].type);
        if (!about->shapes) continue;
        static const ts_cell_type straight[4][2] = {{TS_CELL_POINT1, TS_CELL_POINT1},
                                                    {TS_CELL_LINE2, TS_CELL_LINE2},
                                                    {TS_CELL_QUAD4, TS_CELL_TRI3},
                                                    {TS_CELL_HEX8, TS_CELL_TET4}};
        for (int a = 0; a < about->nodes; a++) {
            double N[TS_CELL_NODES];
            v3 dN[TS_CELL_NODES], x = {0, 0, 0};
            ts_cell_shape(straight[about->dimension][about->simplex],
                          ts_cell_node(m->cell[c].type, a), N, dN);
            for (int k = 0; k < about->corners; k++)
                x = v3_axpy(N[k], m->point[ts_mesh_nodes(m, c)[k]], x);
            assert_near(v3_norm(v3_sub(x, m->point[ts_mesh_nodes(m, c)[a]])), 0, 1e-11);
        }
    }
}

static void check_set(const ts_mesh *m, const char *name, int dimension, int cells, int points,
                      double measure) {
    int set = ts_mesh_find(m, name, -1);
    if (set < 0) fail_msg("%s", ts_error_message());
    assert_int_equal(m->set[set].dimension, dimension);
    assert_int_equal(m->set[set].cells, cells);
    assert_int_equal(m->set[set].points, points);
    if (dimension > 0) assert_near(ts_mesh_measure(m, set), measure, 1e-11);
}

/* 2 x 2 x 1 cells of 2 x 1 x 0.5 */
static void check_box(const char *name, ts_cell_type type, int solid, int face, int edge) {
    ts_mesh *m = parse_data(name);
    check_order(m);
    assert_int_equal(ts_mesh_check(m, -1), 0);
    check_set(m, "block", 3, 4, solid, 1.0);
    check_set(m, "all", 3, 4, solid, 1.0);
    check_set(m, "bottom", 2, 4, face, 2.0);
    check_set(m, "top", 2, 4, face, 2.0);
    check_set(m, "surface_22", 2, 2,
              edge * 3 - (type == TS_CELL_HEX8    ? edge
                          : type == TS_CELL_HEX20 ? 2
                                                  : 0),
              0.5);
    check_set(m, "edge", 1, 2, edge, 2.0);
    check_set(m, "corner", 0, 1, 1, 0);
    const ts_mesh_set *corner = &m->set[ts_mesh_find(m, "corner", 0)];
    assert_near(v3_norm(v3_sub(m->point[corner->point[0]], v3_make(2, 1, 0))), 0, 1e-15);
    assert_int_equal(m->cell[m->set[ts_mesh_find(m, "block", 3)].cell[0]].type, type);
    ts_mesh_face *faces;
    assert_int_equal(ts_mesh_boundary(m, -1, &faces), 16);
    free(faces);
    v3 low, high;
    ts_mesh_box(m, &low, &high);
    assert_near(v3_norm(low), 0, 1e-15);
    assert_near(v3_norm(v3_sub(high, v3_make(2, 1, 0.5))), 0, 1e-15);
    ts_mesh_free(m);
}

static void boxes_are_read(void **state) {
    (void)state;
    check_box("box_hex8.msh", TS_CELL_HEX8, 18, 9, 3);
    check_box("box_hex20.msh", TS_CELL_HEX20, 51, 21, 5);
    check_box("box_hex27.msh", TS_CELL_HEX27, 75, 25, 5);
    check_box("box_hex27_binary.msh", TS_CELL_HEX27, 75, 25, 5);
}

static void check_cube(const char *name) {
    ts_mesh *m = parse_data(name);
    check_order(m);
    assert_int_equal(ts_mesh_check(m, -1), 0);
    int skin = ts_mesh_find(m, "skin", 2), body = ts_mesh_find(m, "body", 3);
    assert_true(skin >= 0 && body >= 0);
    assert_near(ts_mesh_measure(m, body), 1, 1e-12);
    assert_near(ts_mesh_measure(m, skin), 6, 1e-12);
    assert_int_equal(ts_mesh_check_sides(m, skin), 0);
    ts_mesh_face *faces;
    assert_int_equal(ts_mesh_boundary(m, body, &faces), m->set[skin].cells);
    free(faces);
    ts_mesh_free(m);
}

static void cubes_are_read(void **state) {
    (void)state;
    check_cube("cube_tet4.msh");
    check_cube("cube_tet10.msh");
    check_cube("cube_tet10_binary.msh");
}

/* 3 x 2 cells; the binary one has parametric coordinates, which are passed over */
static void plates_are_read(void **state) {
    (void)state;
    const char *const names[] = {"plate_quad9.msh", "plate_parametric_binary.msh",
                                 "plate_quad8.msh"};
    for (int k = 0; k < 3; k++) {
        ts_mesh *m = parse_data(names[k]);
        check_order(m);
        assert_int_equal(ts_mesh_check(m, -1), 0);
        check_set(m, "shell", 2, 6, k == 2 ? 29 : 35, 3 * sqrt(5.0));
        check_set(m, "left", 1, 2, 5, sqrt(5.0));
        check_set(m, "right", 1, 2, 5, sqrt(5.0));
        check_set(m, "tip", 0, 1, 1, 0);
        ts_mesh_free(m);
    }
}

static void prisms_are_held_but_not_used(void **state) {
    (void)state;
    ts_mesh *m = parse_data("wedge.msh");
    assert_int_equal(m->cell[m->set[ts_mesh_find(m, "prism", 3)].cell[0]].type, TS_CELL_WEDGE6);
    assert_int_equal(ts_mesh_check(m, -1), TORSOR_EINVAL);
    assert_non_null(strstr(ts_error_message(), "wedge6"));
    ts_mesh_free(m);
}

/* ---- binary files made here: order of bytes, size of numbers ---- */

typedef struct writer {
    char text[4000];
    size_t length, word;
    bool swapped;
} writer;

static void put_text(writer *w, const char *text) {
    memcpy(w->text + w->length, text, strlen(text));
    w->length += strlen(text);
}

static void put_bytes(writer *w, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        w->text[w->length++] = ((const char *)from)[w->swapped ? count - 1 - i : i];
}

static void put_ints(writer *w, int count, const int *value) {
    for (int i = 0; i < count; i++) put_bytes(w, &value[i], 4);
}

static void put_sizes(writer *w, int count, const uint64_t *value) {
    for (int i = 0; i < count; i++) {
        uint32_t narrow = (uint32_t)value[i];
        put_bytes(w, w->word == 8 ? (const void *)&value[i] : &narrow, w->word);
    }
}

/* One tetrahedron with tags far apart, a surface in a group with a negative tag, and a section to
 * skip. */
static void write_tet(writer *w) {
    const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, box[6] = {0};
    char format[60];
    snprintf(format, sizeof format, "$MeshFormat\n4.1 1 %zu\n", w->word);
    put_text(w, format);
    put_ints(w, 1, (const int[]){1});
    put_text(w,
             "\n$EndMeshFormat\n$PhysicalNames\n1\n2 5 \"a skin\"\n$EndPhysicalNames\n$Entities\n");
    put_sizes(w, 4, (const uint64_t[]){0, 0, 1, 0});
    put_ints(w, 1, (const int[]){7});
    for (int i = 0; i < 6; i++) put_bytes(w, &box[i], 8);
    put_sizes(w, 1, (const uint64_t[]){1});
    put_ints(w, 1, (const int[]){-5});
    put_sizes(w, 1, (const uint64_t[]){0});
    put_text(w, "\n$EndEntities\n$Periodic\nsomething $ else\n$EndPeriodic\n$Nodes\n");
    put_sizes(w, 4, (const uint64_t[]){1, 4, 10, 2000000000});
    put_ints(w, 3, (const int[]){3, 1, 0});
    put_sizes(w, 5, (const uint64_t[]){4, 10, 2000000000, 500, 77});
    for (int i = 0; i < 12; i++) put_bytes(w, &x[i], 8);
    put_text(w, "\n$EndNodes\n$Elements\n");
    put_sizes(w, 4, (const uint64_t[]){2, 2, 1, 2});
    put_ints(w, 3, (const int[]){2, 7, 2});
    put_sizes(w, 5, (const uint64_t[]){1, 1, 10, 2000000000, 500});
    put_ints(w, 3, (const int[]){3, 1, 4});
    put_sizes(w, 6, (const uint64_t[]){1, 2, 10, 2000000000, 500, 77});
    put_text(w, "\n$EndElements\n");
}

static void bytes_may_be_in_any_order(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        writer w = {.word = k % 2 ? 4 : 8, .swapped = k >= 2};
        write_tet(&w);
        ts_mesh *m;
        ts_gmsh_problem problem;
        if (ts_gmsh_parse(&m, w.text, w.length, &problem)) fail_msg("%s", problem.message);
        check_set(m, "all", 3, 1, 4, 1.0 / 6);
        check_set(m, "a skin", 2, 1, 3, 0.5);
        const int *node = ts_mesh_nodes(m, m->set[ts_mesh_find(m, "a skin", 2)].cell[0]);
        m3 J = ts_mesh_jacobian(m, m->set[ts_mesh_find(m, "a skin", 2)].cell[0], v3_make(0, 0, 0),
                                NULL);
        assert_near(J.c[2].z, -1, 0); /* turned over */
        assert_true(node[0] == 0);
        ts_mesh_free(m);
        /* cut anywhere, it is refused */
        for (size_t cut = 0; cut + 14 < w.length; cut++) {
            char *part = malloc(cut + 1);
            memcpy(part, w.text, cut);
            assert_int_equal(ts_gmsh_parse(&m, part, cut, &problem), TORSOR_EINVAL);
            assert_null(m);
            free(part);
        }
    }
}

/* ---- numbers ---- */

#define FORMAT "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
#define ELEMENTS "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n"

/* Coordinates are what strtod makes of them, to the last bit. */
static void coordinates_are_exact(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char text[600], number[3][60];
        for (int k = 0; k < 3; k++)
            snprintf(number[k], sizeof number[k],
                     i % 3   ? "%.16g"
                     : i % 2 ? "%.17g"
                             : "%.9g",
                     chance() * pow(10, 30 * chance() * (i % 5 == 0)));
        snprintf(text, sizeof text,
                 FORMAT "$Nodes\n1 1 1 1\n0 1 0 1\n1\n%s %s %s\n$EndNodes\n"
                        "$Elements\n1 1 1 1\n0 1 15 1\n1 1\n$EndElements\n",
                 number[0], number[1], number[2]);
        ts_mesh *m;
        ts_gmsh_problem problem;
        if (ts_gmsh_parse(&m, text, strlen(text), &problem))
            fail_msg("%s\n%s", problem.message, text);
        for (int k = 0; k < 3; k++) assert_true(v3_get(m->point[0], k) == strtod(number[k], NULL));
        ts_mesh_free(m);
    }
}

/* ---- what is refused ---- */

static const struct wrong {
    const char *text, *message, *hint;
    int line;
} WRONG[] = {
    {"", "expected $MeshFormat", "", 1},
    {"solid stl\n", "expected a section", "is this a .msh file of Gmsh", 1},
    {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "format 2.2", "-format msh41", 2},
    {"$MeshFormat\n4 0 8\n$EndMeshFormat\n", "format 4;", "-format msh41", 2},
    {"$MeshFormat\n4.1 7 8\n$EndMeshFormat\n", "text", "", 2},
    {"$MeshFormat\n4.1 0 16\n$EndMeshFormat\n", "size of size_t", "", 2},
    {NODES, "must begin with $MeshFormat", "", 1},
    {FORMAT ELEMENTS, "$Nodes must come before", "", 5},
    {FORMAT NODES, "no elements", "mesh the geometry", 16},
    {FORMAT NODES NODES, "second section $Nodes", "", 17},
    {FORMAT "$Nodes\n1 4000000000 1 4\n3 1 0 4000000000\n1\n", "announces 4000000000 nodes", "cut",
     5},
    {FORMAT "$Nodes\n1 2 1 2\n3 1 0 2\n1\n2\n0 0 zero\n0 0 0\n$EndNodes\n", "expected a number", "",
     9},
    {FORMAT "$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 1+1\n$EndNodes\n", "expected a number", "", 8},
    {FORMAT "$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 inf\n$EndNodes\n", "expected a number", "", 8},
    {FORMAT "$Nodes\n1 2 1 2\n3 1 0 2\n1\n1\n0 0 0\n0 0 0\n$EndNodes\n", "node 1 is there twice",
     "", 10},
    {FORMAT "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", "announces 2 nodes", "", 5},
    {FORMAT NODES "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 9\n$EndElements\n", "a node 9", "", 19},
    {FORMAT NODES "$Elements\n1 1 1 1\n3 1 29 1\n1 1 2 3 4\n$EndElements\n", "type 29",
     "ElementOrder", 18},
    {FORMAT NODES "$Elements\n1 1 1 1\n2 1 4 1\n1 1 2 3 4\n$EndElements\n",
     "tet4 in an entity of dimension 2", "", 18},
    {FORMAT NODES "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n5\n$EndElements\n", "$EndElements here",
     "count", 20},
    {FORMAT NODES "$Elements\n1 9999999999999999999 1 1\n", "whole number", "", 17},
    {FORMAT "$PhysicalNames\n1\n7 1 \"a\"\n$EndPhysicalNames\n", "dimension from 0 to 3", "", 6},
    {FORMAT "$PhysicalNames\n1\n2 1 a\n$EndPhysicalNames\n", "in quotes", "", 6},
    {FORMAT "$Views\n1\n", "$Views has no end", "", 5},
};

static void nonsense_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        ts_mesh *m;
        ts_gmsh_problem p;
        size_t length = strlen(WRONG[i].text);
        assert_int_equal(ts_gmsh_parse(&m, WRONG[i].text, length, &p), TORSOR_EINVAL);
        ts_diagnostics list = {0};
        ts_source source;
        ts_source_open(&source, "x.msh", WRONG[i].text, length, &list);
        int line, column;
        ts_source_place(&source, p.offset, &line, &column);
        ts_source_close(&source);
        if (!strstr(p.message, WRONG[i].message) || !strstr(p.hint, WRONG[i].hint) ||
            line != WRONG[i].line)
            fail_msg("%s\nexpected '%s' ('%s') on line %d, got '%s' ('%s') on line %d",
                     WRONG[i].text, WRONG[i].message, WRONG[i].hint, WRONG[i].line, p.message,
                     p.hint, line);
    }
}

static void other_formats_are_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"old_2.2.msh", "format 2.2"},
                                           {"partitioned.msh", "partitioned"}};
    for (int k = 0; k < 2; k++) {
        size_t length;
        char *text = read_data(cases[k][0], &length);
        ts_mesh *m;
        ts_gmsh_problem p;
        assert_int_equal(ts_gmsh_parse(&m, text, length, &p), TORSOR_EINVAL);
        assert_non_null(strstr(p.message, cases[k][1]));
        assert_true(*p.hint);
        free(text);
    }
}

/* ---- in a model ---- */

static int read_model(const char *entry, ts_document **document, ts_diagnostics *list) {
    char path[] = "test_gmsh_model_XXXXXX", text[2000];
    int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    snprintf(text, sizeof text, "torsor: 1\nunits: {length: mm}\nmeshes:\n  M: %s\n", entry);
    fputs(text, out), fclose(out);
    int status = ts_document_read(document, path, list);
    remove(path);
    return status;
}

static const ts_mesh *mesh_of(const ts_document *d) { return ts_mesh_of(d->model, 1); }

/* Scaled, turned, moved; and again from the echo, where the file is not needed. */
static void models_name_files(void **state) {
    (void)state;
    char entry[1500];
    ts_document *d, *again;
    ts_diagnostics list = {0};
    snprintf(entry, sizeof entry,
             "{type: gmsh, file: \"%s/tests/data/gmsh/box_hex27_binary.msh\", scale: 1 cm, "
             "rotation: {axis: z, angle: pi/2}, position: [1 m, 0, 0]}",
             getenv("TORSOR_SOURCE_DIR"));
    assert_int_equal(read_model(entry, &d, &list), 0);
    assert_int_equal(ts_document_parse(&again, d->text, d->length, "echo", &list), 0);
    for (int k = 0; k < 2; k++) {
        const ts_mesh *m = mesh_of(k ? again : d);
        v3 low, high;
        ts_mesh_box(m, &low, &high);
        assert_near(v3_norm(v3_sub(low, v3_make(0.99, 0, 0))), 0, 1e-15);
        assert_near(v3_norm(v3_sub(high, v3_make(1, 0.02, 0.005))), 0, 1e-15);
        assert_near(ts_mesh_measure(m, ts_mesh_find(m, "block", 3)), 1e-6, 1e-18);
    }
    ts_document_free(d), ts_document_free(again);
    /* without a scale, a unit of the file is one of the model */
    snprintf(entry, sizeof entry, "{type: gmsh, file: \"%s/tests/data/gmsh/cube_tet4.msh\"}",
             getenv("TORSOR_SOURCE_DIR"));
    assert_int_equal(read_model(entry, &d, &list), 0);
    assert_near(ts_mesh_measure(mesh_of(d), -1), 1e-9, 1e-20);
    ts_document_free(d);
}

static void check_refused(const char *entry, const char *file, int line, const char *message) {
    ts_document *d;
    ts_diagnostics list = {0};
    assert_int_equal(read_model(entry, &d, &list), TORSOR_EINVAL);
    if (list.count != 1 || !strstr(list.items[0].message, message) ||
        !strstr(list.items[0].file, file) || list.items[0].line != line) {
        ts_diagnostics_print(&list, stderr, false);
        fail_msg("expected %s:%d: %s", file, line, message);
    }
    ts_diagnostics_clear(&list);
}

static void problems_have_places(void **state) {
    (void)state;
    char entry[1500];
    const char *root = getenv("TORSOR_SOURCE_DIR");
    check_refused("{type: gmsh, file: nowhere.msh}", "model", 4, "cannot read 'nowhere.msh'");
    check_refused("{type: gmsh, file: {base64: \"!\"}}", "model", 4, "not base 64");
    check_refused("{type: gmsh, file: {base64: \"AAAA\"}}", "model", 4,
                  "byte 0: expected a section");
    snprintf(entry, sizeof entry, "{type: gmsh, file: \"%s/tests/data/gmsh/old_2.2.msh\"}", root);
    check_refused(entry, "old_2.2.msh", 2, "format 2.2");
    snprintf(entry, sizeof entry,
             "{type: gmsh, file: \"%s/tests/data/gmsh/box_hex8.msh\", merge: 10}", root);
    check_refused(entry, "model", 4, "within the tolerance");
    snprintf(entry, sizeof entry,
             "{type: gmsh, file: \"%s/tests/data/gmsh/box_hex8.msh\", scale: 0}", root);
    check_refused(entry, "model", 4, "scale must be above zero");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_read),
        cmocka_unit_test(cubes_are_read),
        cmocka_unit_test(plates_are_read),
        cmocka_unit_test(prisms_are_held_but_not_used),
        cmocka_unit_test(bytes_may_be_in_any_order),
        cmocka_unit_test(coordinates_are_exact),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(other_formats_are_refused),
        cmocka_unit_test(models_name_files),
        cmocka_unit_test(problems_have_places),
    };
    return cmocka_run_group_tests_name("gmsh", tests, NULL, NULL);
}
