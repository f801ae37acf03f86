/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by solids and shells: the constitutive laws that materials give to sites of solids, and
 * the sections of shells.
 */
#ifndef TS_CONTINUUM_H
#define TS_CONTINUUM_H

#include "laws/dilatation_law.h"
#include "laws/hyperelastic_law.h"
#include "parts/parts.h"

/* ---- materials (material.c, material_solid.c) ---- */

/* Moduli at zero strain over (E11, E22, E33, 2 E12, 2 E23, 2 E13), material axes, and the energy of
 * a hyperelastic one. */
typedef struct ts_material {
    double E, G; /* isotropic; zero where the material is not */
    double density;
    double compliance[36];
    /* zero where the material cannot change its volume: no solid, but a shell */
    double stiffness[36];
    double energy[TS_HYPER_NUMBERS - TS_HYPER_MU]; /* mu, lambda, c10, c01, kappa; zero: linear */
} ts_material;

void ts_material_isotropic(ts_material *material, double E, double nu, double density);
void ts_material_store(ts_builder *b, const ts_kind *kind, const ts_material *material);
ts_material ts_material_load(const ts_model *model, int part);
/* The density, one of the fields of every material. */
int ts_check_density(ts_builder *b, const ts_value *value, int field);
/* Fails where the material of a beam or of a shape is not isotropic. */
int ts_require_isotropic(ts_builder *b, const ts_value *value, int field);

/* ---- solids ----
 *
 * A site of a solid has the six forms e = (E11, E22, E33, 2 E12, 2 E23, 2 E13) of Green and
 * Lagrange in Cartesian axes. Selective integration puts the volumetric share at sites of its own.
 * Of the linear law that is (kappa - 2/3 mu) 1 1^T, with the bulk modulus of equal stresses,
 * 1/kappa = 1^T S 1, S the compliance; of an isotropic one Lame's lambda, and the rest is 2 mu E :
 * E.
 */
typedef enum ts_share { TS_SHARE_WHOLE, TS_SHARE_ISOCHORIC, TS_SHARE_VOLUMETRIC } ts_share;

/* Fails at the field if the material that it names cannot be used for a solid. */
int ts_require_solid(ts_builder *b, const ts_value *value, int field);
/* Gives the newest site, just opened, the law of the material for a volume. The columns of `axes`
 * are the axes of the material in those of the strains. eta: damping, time times stiffness. */
void ts_material_solid(ts_model *model, int material, ts_share share, double volume, double eta,
                       m3 axes);
/* Is its law made for large strains: a hyperelastic one? */
bool ts_material_hyperelastic(const ts_material *material);
/* Gives the newest site, with the forms of dilatation_law.h, the volumetric share of a hyperelastic
 * material. `drawn`: ln of the volume as these forms have it. */
void ts_material_dilatation(ts_model *model, int material, double volume, double eta, double drawn);

/* ---- sections of shells (section_shell.c) ----
 *
 * Over (eps11, eps22, 2 eps12, kappa11, kappa22, 2 kappa12, gamma1, gamma2), in the axes of the
 * section, 3 being the normal: eps(x3) = eps + x3 kappa, gamma_a = 2 eps_a3.
 */
typedef struct ts_section_of_shell {
    double K[64];
    double thickness;                  /* as given; of an abd, that of its stiffness */
    double mass, mass_moment, inertia; /* per area: integrals of density times 1, x3, x3^2 */
} ts_section_of_shell;

ts_section_of_shell ts_section_shell(const ts_model *model, int part);
/* K and masses for a shell whose axes 1, 2 are turned by `angle` relative to those of the section,
 * about the normal. */
void ts_section_shell_turn(ts_section_of_shell *section, double angle);
/* In words, for `torsor check`. */
void ts_section_shell_describe(const ts_model *model, int part, FILE *out);

/* ---- parts on a mesh (on_mesh.c): fields that shells and solids begin and end with ---- */

#define TS_MESH_FIELD                                                                            \
    {                                                                                            \
        .name = "mesh", .type = TS_PART, .required = true, .help = "The mesh, one of `meshes`.", \
        .choices = TS_MESH_CHOICES                                                               \
    }
extern const char *const TS_MESH_CHOICES[];

enum { TS_MESHED_DAMPING, TS_MESHED_VELOCITY, TS_MESHED_SPIN, TS_MESHED_CENTRE };

#define TS_MESHED_MOTION_FIELDS                                                   \
    {.name = "damping",                                                           \
     .type = TS_NUMBER,                                                           \
     .dim = {0, 0, 1, 0},                                                         \
     .help = "Proportional damping: this time multiplies the stiffness.",         \
     .fallback = "0"},                                                            \
        {.name = "velocity",                                                      \
         .type = TS_VECTOR,                                                       \
         .dim = TS_DIM_VELOCITY,                                                  \
         .help = "Initial velocity of `centre`, global axes.",                    \
         .fallback = "0"},                                                        \
        {.name = "angular_velocity",                                              \
         .type = TS_VECTOR,                                                       \
         .dim = TS_DIM_ANGULAR_VELOCITY,                                          \
         .help = "Initial angular velocity as a rigid body, global axes.",        \
         .fallback = "0"},                                                        \
    {                                                                             \
        .name = "centre", .type = TS_PLACE, .dim = TS_DIM_LENGTH,                 \
        .help = "The point to which `velocity` refers.", .fallback = "the origin" \
    }

/* `motion` is the first of TS_MESHED_MOTION_FIELDS. */
void ts_meshed_motion(ts_node *node, const ts_value *motion);
/* The damping, which must not be negative; `field` is its number. */
int ts_meshed_damping(ts_builder *b, const ts_value *value, int field, double *damping);

#endif
