# Written by tools/stubs.py from `torsor schema`; changes belong into sections.py or the field tables in src/parts.
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

from numpy.typing import NDArray

from .model import Model

Number = Union[float, str]
Name = Union[str, Entry]
Vector = Union[Sequence[Number], NDArray[Any]]
Signal = Union[float, str, Mapping[str, Any]]

NAMED: tuple[str, ...]

def write(value: Any) -> str: ...
def check_fields(what: str, schema: Mapping[str, Any], names: Iterable[str]) -> None: ...
def kinds_of(schema: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Any]]]: ...

class Entry:
    model: Model
    section: str
    name: str
    def __init__(self, model: Model, section: str, name: str) -> None: ...
    @property
    def start(self) -> str: ...
    @property
    def end(self) -> str: ...
    def __getitem__(self, node: int) -> str: ...
    def set(self, **fields: Any) -> Entry: ...

class Section:
    def __init__(self, model: Model, name: str, kinds: dict[str, dict[str, Any]]) -> None: ...
    def add(self, name: str, **fields: Any) -> Entry: ...
    def check(self, name: str, fields: Mapping[str, Any]) -> None: ...
    def __setitem__(self, name: str, value: Any) -> None: ...
    def __getitem__(self, name: str) -> Entry: ...
    def __contains__(self, name: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __dir__(self) -> Iterator[str]: ...  # type: ignore[override]

class MaterialsSection(Section):
    """Section `materials`."""
    def isotropic(self, name: str, *, E: Number, density: Number, nu: Number = ..., G: Number = ...) -> Entry:
        """An isotropic, linearly elastic material: E, one of nu and G, and the density. In solids this is the Saint Venant-Kirchhoff law, for rotations of any size but small strains.

        E: Young's modulus.; stress (kg/(m s^2))
        density: Mass per volume; 0 for a material without inertia.; density (kg/m^3)
        nu: Poisson's ratio, above -1, at most 0.5; or give G.; Default: E / (2 G) - 1
        G: Shear modulus; or give nu. Both may be given where they agree to 1 %; G is then used.; stress (kg/(m
            s^2)); Default: E / (2 (1 + nu))
        """
    def orthotropic(self, name: str, *, E1: Number, E2: Number, E3: Number, nu12: Number, nu23: Number, nu13: Number, G12: Number, G23: Number, G13: Number, density: Number) -> Entry:
        """A linearly elastic material with three planes of symmetry, for solids and shells: a ply of fibres, wood.

        E1: Young's modulus along axis 1 (the fibres).; stress (kg/(m s^2))
        E2: Young's modulus along axis 2.; stress (kg/(m s^2))
        E3: Young's modulus along axis 3.; stress (kg/(m s^2))
        nu12: Contraction along 2 over extension along 1, when pulled along 1.
        nu23: Contraction along 3 over extension along 2, when pulled along 2.
        nu13: Contraction along 3 over extension along 1, when pulled along 1.
        G12: Shear modulus in the plane of 1 and 2.; stress (kg/(m s^2))
        G23: Shear modulus in the plane of 2 and 3.; stress (kg/(m s^2))
        G13: Shear modulus in the plane of 1 and 3.; stress (kg/(m s^2))
        density: Mass per volume.; density (kg/m^3)
        """
    def neo_hookean(self, name: str, *, density: Number, mu: Number = ..., lambda_: Number = ..., kappa: Number = ..., E: Number = ..., nu: Number = ...) -> Entry:
        """Neo-Hookean hyperelasticity, for large strains of solids; in beams and shells by its moduli at zero strain.

        density: Mass per volume.; density (kg/m^3)
        mu: Shear modulus at zero strain; with lambda or kappa.; stress (kg/(m s^2))
        lambda_: Second modulus of Lame, at least zero: V = mu/2 (tr C - 3) - mu ln J + lambda/2 (ln J)^2.; stress
            (kg/(m s^2))
        kappa: Bulk modulus: V = mu/2 (J^(-2/3) tr C - 3) + kappa/2 ((J^2 - 1)/2 - ln J); for rubber, 1e3 to 1e4
            times mu.; stress (kg/(m s^2))
        E: Young's modulus at zero strain, with nu, instead of mu and lambda.; stress (kg/(m s^2))
        nu: Poisson's ratio at zero strain, with E: from 0, below 0.5.
        """
    def mooney_rivlin(self, name: str, *, c10: Number, c01: Number, kappa: Number, density: Number) -> Entry:
        """Mooney and Rivlin's hyperelasticity, for large strains of rubber; in beams and shells by its moduli at zero strain.

        c10: Factor of J^(-2/3) I1 - 3, at least zero.; stress (kg/(m s^2))
        c01: Factor of J^(-4/3) I2 - 3, at least zero; 2 (c10 + c01) is the shear modulus.; stress (kg/(m s^2))
        kappa: Bulk modulus, of kappa/2 ((J^2 - 1)/2 - ln J); for rubber, 1e3 to 1e4 times the shear modulus.;
            stress (kg/(m s^2))
        density: Mass per volume.; density (kg/m^3)
        """

class SectionsSection(Section):
    """Section `sections`."""
    def direct(self, name: str, *, EA: Number = ..., GA2: Number = ..., GA3: Number = ..., GJ: Number = ..., EI2: Number = ..., EI3: Number = ..., stiffness: Any = ..., tension_centre: Union[Sequence[Number], NDArray[Any]] = ..., shear_centre: Union[Sequence[Number], NDArray[Any]] = ..., principal_angle: Number = ..., mass: Number = ..., mass_centre: Union[Sequence[Number], NDArray[Any]] = ..., inertia: Union[Sequence[Number], NDArray[Any]] = ..., polar_inertia: Number = ..., inertia_angle: Number = ..., mass_matrix: Any = ...) -> Entry:
        """A section of a beam by its properties: stiffnesses and mass per length, with tension, shear and mass centres anywhere, or whole 6x6 matrices. Axis 1 runs along the beam.

        EA: Axial stiffness. All six numbers EA to EI3 are needed, or `stiffness`.; force (kg m/s^2)
        GA2: Shear stiffness along axis 2, shear factor included.; force (kg m/s^2)
        GA3: Shear stiffness along axis 3, shear factor included.; force (kg m/s^2)
        GJ: Torsional stiffness.; kg m^3/s^2
        EI2: Bending stiffness about axis 2: deflection along axis 3.; kg m^3/s^2
        EI3: Bending stiffness about axis 3: deflection along axis 2.; kg m^3/s^2
        stiffness: The whole stiffness instead, at the reference line: forces N, Q2, Q3 and moments M1, M2, M3 over
            strains Gamma1, Gamma2, Gamma3 and curvatures kappa1, kappa2, kappa3; symmetric and positive definite.
        tension_centre: [y2, y3] from the reference line: the point where an axial force does not bend. EA, EI2 and
            EI3 refer to it.; length (m); Default: [0, 0]
        shear_centre: [y2, y3] from the reference line: the point where a transverse force does not twist. GA2, GA3
            and GJ refer to it.; length (m); Default: [0, 0]
        principal_angle: Angle about axis 1 from axes 2, 3 to those that EI2, EI3, GA2 and GA3 refer to.; angle
            (rad); Default: 0
        mass: Mass per length; 0 for a section without inertia. Needed, or `mass_matrix`.; mass per length (kg/m)
        mass_centre: [c2, c3], the mass centre from the reference line.; length (m); Default: [0, 0]
        inertia: [J1, J2, J3], moments of inertia per length about the mass centre; or [J2, J3], and J1 is their
            sum, as for any flat section.; kg m; Default: those of a homogeneous section: J2 = m EI2/EA, J3 = m
            EI3/EA, J1 = J2 + J3
        polar_inertia: J1 only, instead of `inertia`: J2 = J3 = J1/2.; kg m
        inertia_angle: Angle about axis 1 from axes 2, 3 to those that J2 and J3 refer to.; angle (rad); Default:
            principal_angle
        mass_matrix: The whole mass per length instead, at the reference line, over velocity and angular velocity:
            [[m I, -m c~], [m c~, J]].
        """
    def circle(self, name: str, *, material: Name, shear_factor: Union[Sequence[Number], NDArray[Any]] = ..., torsion_constant: Number = ..., centroid: Union[Sequence[Number], NDArray[Any]] = ..., angle: Number = ..., diameter: Number = ..., radius: Number = ...) -> Entry:
        """A solid circular section.

        material: The material, one of `materials`.
        shear_factor: [k2, k3], or [k] for both: the part of the area that works in shear, along axes 2 and 3.;
            Default: after Cowper
        torsion_constant: Torsion constant, from a table.; m^4; Default: from the shape
        centroid: [y2, y3], the centroid from the reference line.; length (m); Default: [0, 0]
        angle: Rotation of the shape about axis 1, about its centroid.; angle (rad); Default: 0
        diameter: Diameter; or radius.; length (m)
        radius: Radius; or diameter.; length (m)
        """
    def tube(self, name: str, *, material: Name, outer_diameter: Number, shear_factor: Union[Sequence[Number], NDArray[Any]] = ..., torsion_constant: Number = ..., centroid: Union[Sequence[Number], NDArray[Any]] = ..., angle: Number = ..., inner_diameter: Number = ..., thickness: Number = ...) -> Entry:
        """A circular tube.

        material: The material, one of `materials`.
        outer_diameter: Outer diameter.; length (m)
        shear_factor: [k2, k3], or [k] for both: the part of the area that works in shear, along axes 2 and 3.;
            Default: after Cowper
        torsion_constant: Torsion constant, from a table.; m^4; Default: from the shape
        centroid: [y2, y3], the centroid from the reference line.; length (m); Default: [0, 0]
        angle: Rotation of the shape about axis 1, about its centroid.; angle (rad); Default: 0
        inner_diameter: Inner diameter; or thickness.; length (m)
        thickness: Thickness of the wall; or inner_diameter.; length (m)
        """
    def rectangle(self, name: str, *, material: Name, width: Number, height: Number, shear_factor: Union[Sequence[Number], NDArray[Any]] = ..., torsion_constant: Number = ..., centroid: Union[Sequence[Number], NDArray[Any]] = ..., angle: Number = ...) -> Entry:
        """A solid rectangular section: width along axis 2, height along axis 3.

        material: The material, one of `materials`.
        width: Along axis 2.; length (m)
        height: Along axis 3.; length (m)
        shear_factor: [k2, k3], or [k] for both: the part of the area that works in shear, along axes 2 and 3.;
            Default: after Cowper
        torsion_constant: Torsion constant, from a table.; m^4; Default: from the shape
        centroid: [y2, y3], the centroid from the reference line.; length (m); Default: [0, 0]
        angle: Rotation of the shape about axis 1, about its centroid.; angle (rad); Default: 0
        """
    def box(self, name: str, *, material: Name, width: Number, height: Number, shear_factor: Union[Sequence[Number], NDArray[Any]] = ..., torsion_constant: Number = ..., centroid: Union[Sequence[Number], NDArray[Any]] = ..., angle: Number = ..., flange_thickness: Number = ..., web_thickness: Number = ..., thickness: Number = ...) -> Entry:
        """A rectangular hollow section with sharp corners, outer width along axis 2, outer height along axis 3. Shear and torsion are those of thin walls: the torsion constant is too small by 2.5 % where a wall is a twentieth of the height, by 4.5 % at a tenth.

        material: The material, one of `materials`.
        width: Along axis 2.; length (m)
        height: Along axis 3.; length (m)
        shear_factor: [k2, k3], or [k] for both: the part of the area that works in shear, along axes 2 and 3.;
            Default: after Cowper
        torsion_constant: Torsion constant, from a table.; m^4; Default: from the shape
        centroid: [y2, y3], the centroid from the reference line.; length (m); Default: [0, 0]
        angle: Rotation of the shape about axis 1, about its centroid.; angle (rad); Default: 0
        flange_thickness: Thickness of the two walls along axis 2.; length (m)
        web_thickness: Thickness of the two walls along axis 3.; length (m)
        thickness: Thickness of all walls, instead of these.; length (m)
        """
    def i_beam(self, name: str, *, material: Name, width: Number, height: Number, flange_thickness: Number, web_thickness: Number, shear_factor: Union[Sequence[Number], NDArray[Any]] = ..., torsion_constant: Number = ..., centroid: Union[Sequence[Number], NDArray[Any]] = ..., angle: Number = ..., fillet_radius: Number = ...) -> Entry:
        """An I with equal flanges: web along axis 3, flanges along axis 2.

        material: The material, one of `materials`.
        width: Along axis 2.; length (m)
        height: Along axis 3.; length (m)
        flange_thickness: Thickness of the two flanges, which lie along axis 2.; length (m)
        web_thickness: Thickness of the web, which stands along axis 3.; length (m)
        shear_factor: [k2, k3], or [k] for both: the part of the area that works in shear, along axes 2 and 3.;
            Default: after Cowper
        torsion_constant: Torsion constant, from a table.; m^4; Default: from the shape
        centroid: [y2, y3], the centroid from the reference line.; length (m); Default: [0, 0]
        angle: Rotation of the shape about axis 1, about its centroid.; angle (rad); Default: 0
        fillet_radius: Radius of the four fillets of a rolled section.; length (m)
        """

class MeshesSection(Section):
    """Section `meshes`."""
    def gmsh(self, name: str, *, file: Any, scale: Number = ..., merge: Number = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """A mesh from a Gmsh file. Its physical groups are the sets, and `all` contains all cells of the highest dimension.

        file: A file of Gmsh, format MSH 4.1, text or binary; its path is relative to the model file.
        scale: The length of one unit in the file: `1 mm` for a drawing in millimetres.; length (m); Default: the
            model's unit of length
        merge: Points closer together than this are merged.; length (m); Default: none are merged
        position: Position of the origin of the file, after scale and rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def triangles(self, name: str, *, file: Any, scale: Number = ..., merge: Number = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """A surface from a file of triangles, STL or OBJ, for shapes that touch and for shells. Corners at the same place are merged; triangles without area are left out. The set `all` contains all triangles.

        file: A file of triangles: STL, text or binary, or OBJ; its path is relative to the model file.
        scale: The length of one unit in the file: `1 mm` for a drawing in millimetres.; length (m); Default: the
            model's unit of length
        merge: Points closer together than this are merged.; length (m); Default: none are merged
        position: Position of the origin of the file, after scale and rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def heights(self, name: str, *, size: Union[Sequence[Number], NDArray[Any]], heights: Any = ..., position: Union[Vector, str] = ..., rotation: Any = ..., file: Any = ..., scale: Number = ...) -> Entry:
        """A height field: triangles over a rectangular grid of heights, with normals along z. The set `all` contains all triangles.

        size: Lengths along x and y; the field begins at the origin.; length (m)
        heights: Rows of heights along z: the first row at the least y, each from the least x on.; length (m)
        position: Position of the origin of the field, after the rotation.; Default: [0, 0, 0]
        rotation: Rotation of the field about its origin.; Default: none
        file: Instead of heights: a file with a row of them on each line, separated by blanks, commas or semicolons;
            its path is relative to the model file.
        scale: The length of one unit of the heights in the file: `1 mm` for millimetres.; length (m); Default: the
            model's unit of length
        """
    def box(self, name: str, *, divisions: Union[Sequence[Number], NDArray[Any]], size: Vector = ..., from_: Union[Vector, str] = ..., to: Union[Vector, str] = ..., cells: str = ..., order: Union[int, str] = ..., serendipity: bool = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """A box of hexahedra or tetrahedra. Sets: `all`; the faces `x-`, `x+`, `y-`, `y+`, `z-`, `z+`; edges and corners as `x-/y+` and `x-/y+/z-`.

        divisions: Cells along x, y and z.
        size: Edge lengths; the box then begins at the origin. Or give from and to.; length (m)
        from_: The lowest corner.
        to: The highest corner.
        cells: Hexahedra, or six tetrahedra instead of each.; Default: hex
        order: Order of the cells: 1 (quad4, hex8, tet4) or 2 (quad9, hex27, tet10).; Default: 1
        serendipity: With order 2, cells without nodes in the middle of faces: quad8, hex20.; Default: false
        position: Position of the origin of the mesh, after the rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def plate(self, name: str, *, divisions: Union[Sequence[Number], NDArray[Any]], size: Union[Sequence[Number], NDArray[Any]] = ..., corners: Any = ..., order: Union[int, str] = ..., serendipity: bool = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """A plate of quads: a rectangle with its normal along z, or any quadrilateral. Sets: `all`; the edges `x-`, `x+`, `y-`, `y+`; the corners `x-/y-`, `x+/y-`, `x-/y+`, `x+/y+`.

        divisions: Cells along x and y.
        size: Lengths along x and y; the plate lies in the plane z = 0 and begins at the origin. Or give corners.;
            length (m)
        corners: Four corners in order around the plate: x-/y-, x+/y-, x+/y+, x-/y+.
        order: Order of the cells: 1 (quad4, hex8, tet4) or 2 (quad9, hex27, tet10).; Default: 1
        serendipity: With order 2, cells without nodes in the middle of faces: quad8, hex20.; Default: false
        position: Position of the origin of the mesh, after the rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def cylinder(self, name: str, *, radius: Number, length: Number, divisions: Union[Sequence[Number], NDArray[Any]], angle: Number = ..., start_angle: Number = ..., order: Union[int, str] = ..., serendipity: bool = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """A cylindrical surface of quads about z, closed or an arc, its normals outwards. Sets: `all`; the ends `start` (z = 0) and `end`; of an arc the edges `left` (where it begins) and `right`, and the corners `left/start`, `right/start`, `left/end`, `right/end`.

        radius: Radius.; length (m)
        length: Length, along z from 0.; length (m)
        divisions: Cells around and along.
        angle: The arc, about z.; angle (rad); Default: 360 deg, closed
        start_angle: Angle where the arc begins, from x towards y.; angle (rad); Default: 0
        order: Order of the cells: 1 (quad4, hex8, tet4) or 2 (quad9, hex27, tet10).; Default: 1
        serendipity: With order 2, cells without nodes in the middle of faces: quad8, hex20.; Default: false
        position: Position of the origin of the mesh, after the rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def sphere(self, name: str, *, radius: Number, divisions: Union[Sequence[Number], NDArray[Any]], latitude: Union[Sequence[Number], NDArray[Any]], angle: Number = ..., start_angle: Number = ..., order: Union[int, str] = ..., serendipity: bool = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """A zone of a sphere of quads, about z, closed or a sector, its normals outwards. Sets: `all`; the edges `south` and `north`; of a sector the edges `left` (where it begins) and `right`, and the corners `left/south`, `right/south`, `left/north`, `right/north`.

        radius: Radius.; length (m)
        divisions: Cells around z, and from south to north.
        latitude: Range of latitudes from the equator, without the poles: a hemisphere with a hole of 18 deg is [0,
            72 deg].; angle (rad)
        angle: The arc, about z.; angle (rad); Default: 360 deg, closed
        start_angle: Angle where the arc begins, from x towards y.; angle (rad); Default: 0
        order: Order of the cells: 1 (quad4, hex8, tet4) or 2 (quad9, hex27, tet10).; Default: 1
        serendipity: With order 2, cells without nodes in the middle of faces: quad8, hex20.; Default: false
        position: Position of the origin of the mesh, after the rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def annulus(self, name: str, *, inner_radius: Number, outer_radius: Number, divisions: Union[Sequence[Number], NDArray[Any]], angle: Number = ..., start_angle: Number = ..., slit: bool = ..., order: Union[int, str] = ..., serendipity: bool = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """A flat ring of quads in the plane z = 0, closed, slit or an arc. Sets: `all`; the edges `inner` and `outer`; unless it is closed the edges `left` (where it begins) and `right`, and the corners `inner/left`, `outer/left`, `inner/right`, `outer/right`.

        inner_radius: Radius of the inner edge.; length (m)
        outer_radius: Radius of the outer edge.; length (m)
        divisions: Cells from inside to outside, and around.
        angle: The arc, about z.; angle (rad); Default: 360 deg, closed
        start_angle: Angle where the arc begins, from x towards y.; angle (rad); Default: 0
        slit: true: a full turn that is not closed. Its ends lie side by side and are not connected.; Default: false
        order: Order of the cells: 1 (quad4, hex8, tet4) or 2 (quad9, hex27, tet10).; Default: 1
        serendipity: With order 2, cells without nodes in the middle of faces: quad8, hex20.; Default: false
        position: Position of the origin of the mesh, after the rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def tube(self, name: str, *, outer_radius: Number, length: Number, divisions: Union[Sequence[Number], NDArray[Any]], inner_radius: Number = ..., angle: Number = ..., start_angle: Number = ..., order: Union[int, str] = ..., serendipity: bool = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """A tube of hexahedra about z, closed or an arc, or a solid cylinder. Sets: `all`; the faces `inner`, `outer`, `start` (z = 0), `end`; of an arc also `left` (where it begins) and `right`; edges and corners as `inner/start`, `inner/left/start`.

        outer_radius: Outer radius.; length (m)
        length: Length, along z from 0.; length (m)
        divisions: Cells from inside to outside (for a solid cylinder: outside of its core), around (for a solid
            cylinder a multiple of 4), and along.
        inner_radius: Inner radius; 0 for a solid cylinder, always a full turn.; length (m); Default: 0
        angle: The arc, about z.; angle (rad); Default: 360 deg, closed
        start_angle: Angle where the arc begins, from x towards y.; angle (rad); Default: 0
        order: Order of the cells: 1 (quad4, hex8, tet4) or 2 (quad9, hex27, tet10).; Default: 1
        serendipity: With order 2, cells without nodes in the middle of faces: quad8, hex20.; Default: false
        position: Position of the origin of the mesh, after the rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def patch(self, name: str, *, x: Any, y: Any, divisions: Union[Sequence[Number], NDArray[Any]], z: Any = ..., u: Union[Sequence[Number], NDArray[Any]] = ..., v: Union[Sequence[Number], NDArray[Any]] = ..., w: Union[Sequence[Number], NDArray[Any]] = ..., order: Union[int, str] = ..., serendipity: bool = ..., position: Union[Vector, str] = ..., rotation: Any = ...) -> Entry:
        """Any surface, or solid, given by expressions of u, v (and w); u, v, w must be right-handed. Sets: `all`; the sides `u-`, `u+`, `v-`, `v+`, `w-`, `w+`; where they meet `u-/v+`, `u-/v+/w-`.

        x: The coordinate x as an expression of the plain numbers u, v (and w).; length (m)
        y: The coordinate y as an expression of u, v (and w).; length (m)
        divisions: Cells along u, v (and w).
        z: The coordinate z as an expression of u, v (and w).; length (m); Default: 0
        u: Range of u.; Default: [0, 1]
        v: Range of v.; Default: [0, 1]
        w: Range of w. With w the mesh is a solid of hexahedra.; Default: none: a surface of quads
        order: Order of the cells: 1 (quad4, hex8, tet4) or 2 (quad9, hex27, tet10).; Default: 1
        serendipity: With order 2, cells without nodes in the middle of faces: quad8, hex20.; Default: false
        position: Position of the origin of the mesh, after the rotation.; Default: [0, 0, 0]
        rotation: Rotation of the mesh about its origin.; Default: none
        """
    def join(self, name: str, *, first: Name, second: Name, tolerance: Number = ...) -> Entry:
        """Two meshes joined: points that coincide are merged. Sets: `all`, and those of both meshes as `NAME.set`. Faces between the two stay in their sets.

        first: A mesh that is defined further up.
        second: Another one.
        tolerance: Points closer together than this are merged.; length (m); Default: 1e-6 of the size of the meshes
        """

class Shell_sectionsSection(Section):
    """Section `shell_sections`."""
    def shell(self, name: str, *, material: Name, thickness: Number, angle: Number = ..., offset: Number = ...) -> Entry:
        """A shell of one material. The shear factor is 5/6.

        material: The material, one of `materials`.
        thickness: Thickness.; length (m)
        angle: Angle from axis 1 of the shell to that of the material, about the normal.; angle (rad); Default: 0
        offset: Distance of the middle surface from the reference surface, along the normal.; length (m); Default: 0
        """
    def laminate(self, name: str, *, materials: Any, thicknesses: Union[Sequence[Number], NDArray[Any]], angles: Union[Sequence[Number], NDArray[Any]] = ..., symmetric: bool = ..., offset: Number = ...) -> Entry:
        """A shell of layers: plies of fibres, sandwiches. Transverse shear follows from the equilibrium of the layers.

        materials: The materials of the layers, the last one on the side to which the normal points; a single one is
            for all layers.
        thicknesses: The thicknesses of the layers; a single one is for all layers.; length (m)
        angles: Angles from axis 1 of the shell to that of each layer's material, about the normal.; angle (rad);
            Default: 0
        symmetric: true: the lists contain the layers below the middle. These layers are repeated above the middle
            in reverse order.; Default: false
        offset: Distance of the middle surface from the reference surface, along the normal.; length (m); Default: 0
        """
    def abd(self, name: str, *, A: Any, D: Any, shear: Any, mass: Number, B: Any = ..., mass_moment: Number = ..., inertia: Number = ...) -> Entry:
        """A shell by its matrices: (N, M, Q) = [A, B, 0; B, D, 0; 0, 0, shear] (eps, kappa, gamma), per length.

        A: Membrane stiffness, forces per length of (eps11, eps22, 2 eps12): three rows of three, or the upper
            triangle row by row, [11, 12, 16, 22, 26, 66].; stiffness (kg/s^2)
        D: Bending stiffness, moments per length of (kappa11, kappa22, 2 kappa12), written as A is.; energy or
            moment (kg m^2/s^2)
        shear: Transverse shear stiffness of (gamma1, gamma2), correction included: two rows of two, [11, 12, 22],
            or [11, 22].; stiffness (kg/s^2)
        mass: Mass per area.; mass per area (kg/m^2)
        B: Coupling of membrane and bending, written as A is.; force (kg m/s^2); Default: 0
        mass_moment: First moment of the mass per area about the reference surface, along the normal.; mass per
            length (kg/m); Default: 0
        inertia: Second moment of the mass per area about the reference surface.; mass (kg); Default: that of a
            homogeneous plate with the same D and A
        """

class BodiesSection(Section):
    """Section `bodies`."""
    def rigid(self, name: str, *, mass: Number, centre: Vector = ..., inertia: Any = ..., inertia_about: str = ..., position: Union[Vector, str] = ..., orientation: Any = ..., velocity: Vector = ..., angular_velocity: Vector = ..., rates_in: str = ..., shape: str = ..., size: Union[Sequence[Number], NDArray[Any]] = ..., shape_at: Vector = ..., shape_axis: Union[Vector, str] = ...) -> Entry:
        """A rigid body: mass, mass centre, inertia, and its initial position and velocity.

        mass: Mass.; mass (kg)
        centre: Mass centre from the reference point, body axes.; length (m); Default: [0, 0, 0]
        inertia: Inertia tensor, body axes.; Default: that of its shape, of uniform density; without a shape 0: a
            point mass
        inertia_about: The point to which the inertia refers: mass centre or reference point.; Default: centre
        position: Initial position of the reference point (global).; Default: [0, 0, 0]
        orientation: Initial body axes (global).; Default: the global axes
        velocity: Initial velocity of the reference point (global).; velocity (m/s); Default: [0, 0, 0]
        angular_velocity: Initial angular velocity, global axes unless rates_in says otherwise.; angular velocity
            (rad/s); Default: [0, 0, 0]
        rates_in: Axes of the angular velocity: global or body.; Default: global
        shape: Shape of the body in pictures; its inertia is that of the shape if none is given.; Default: the box
            of uniform density that has the inertia
        size: Size of the shape: [x, y, z] of a box or ellipsoid along the body axes, [diameter, length] of a
            cylinder, [diameter] of a sphere.; length (m)
        shape_at: Middle of the shape relative to the reference point, body axes.; length (m); Default: the mass
            centre
        shape_axis: Axis of a cylinder, body axes.; Default: z
        """
    def point(self, name: str, *, mass: Number, position: Union[Vector, str] = ..., velocity: Vector = ...) -> Entry:
        """A point with mass and without rotation: a node of a truss, a bead on a string. Springs, forces and the joints `spherical`, `distance`, `point_on_line` and `point_on_plane` attach to it.

        mass: Mass; 0 if springs or joints alone determine the position of the point.; mass (kg)
        position: Initial position (global).; Default: [0, 0, 0]
        velocity: Initial velocity (global).; velocity (m/s); Default: [0, 0, 0]
        """

class BeamsSection(Section):
    """Section `beams`."""
    def beam(self, name: str, *, from_: Union[Vector, str], to: Union[Vector, str], section: Name, through: Union[Vector, str] = ..., section_end: Name = ..., axis2: Union[Vector, str] = ..., twist: Number = ..., elements: Union[int, str] = ..., order: Union[int, str] = ..., damping: Number = ..., velocity: Vector = ..., angular_velocity: Vector = ...) -> Entry:
        """A geometrically exact beam along a straight line or an arc, meshed by `elements` and `order`. Joints and loads attach to its nodes: `name.start`, `name.end`, `name.3`.

        from_: Start of the reference line
        to: End of the line.
        section: The section, one of `sections`
        through: A point in between, which makes the line an arc of a circle; Default: straight
        section_end: The section at the end. Between two sections of one shape (two rectangles) the sizes vary
            linearly, between others all stiffnesses and masses do; Default: as `section`
        axis2: Section axis 2 at the start of the line (its component normal to the line); Default: horizontal, or x
            for a vertical line
        twist: Rotation of the section about the line from start to end; angle (rad); Default: 0
        elements: Number of elements; Default: 4; 8 of order 1
        order: Order, 1, 2 or 3: elements of 2, 3 or 4 nodes, whose errors fall with h^2, h^4, h^6; Default: 3
        damping: Proportional damping: this time multiplies the stiffness; time (s); Default: 0
        velocity: Initial velocity of the start of the line, global axes; velocity (m/s); Default: 0
        angular_velocity: Initial angular velocity of the whole beam as a rigid body, global axes; angular velocity
            (rad/s); Default: 0
        """

class CablesSection(Section):
    """Section `cables`."""
    def cable(self, name: str, *, from_: Union[Vector, str], to: Union[Vector, str], EA: Number, mass: Number, length: Number = ..., tension: Number = ..., elements: Union[int, str] = ..., order: Union[int, str] = ..., law: str = ..., tension_only: bool = ..., damping: Number = ..., hang: Union[Vector, str] = ..., velocity: Vector = ..., angular_velocity: Vector = ..., stored: Number = ..., unwinding: Number = ...) -> Entry:
        """A cable between two places, straight and taut or hanging slack, meshed by `elements` and `order`. Its nodes are points, `name.start`, `name.end`, `name.3`: spherical joints, springs and forces attach to them.

        from_: Start of the cable.
        to: End of the line.
        EA: Axial stiffness: tension per strain.; force (kg m/s^2)
        mass: Mass per unstretched length.; mass per length (kg/m)
        length: Unstretched length. A cable that is longer than the distance between its ends is drawn hanging.;
            length (m); Default: the distance between its ends
        tension: Tension as drawn, instead of a length.; force (kg m/s^2); Default: 0
        elements: Number of elements.; Default: 16
        order: Order of interpolation, 1, 2 or 3: elements of 2, 3 or 4 nodes.; Default: 1
        law: Tension EA (l - 1) of the stretch l, or EA (l^2 - 1) l/2.; Default: hooke
        tension_only: true: a slack cable resists nothing. false: it resists compression like tension.; Default:
            true
        damping: Proportional damping: this time multiplies EA, on the rate of the elongation.; time (s); Default: 0
        hang: Direction in which a slack cable hangs as drawn.; Default: that of gravity, or -z
        velocity: Initial velocity of the start of the line, global axes.; velocity (m/s); Default: 0
        angular_velocity: Initial angular velocity of the whole cable as a rigid body, global axes.; angular
            velocity (rad/s); Default: 0
        stored: Additional length on a drum at its start. The length outside is then free, for a motion, a motor or
            a gear on the coordinate `length`.; length (m); Default: none: its length is constant
        unwinding: With `stored`: the initial rate of the length.; velocity (m/s); Default: 0
        """

class ShellsSection(Section):
    """Section `shells`."""
    def shell(self, name: str, *, mesh: Name, section: Name, set: Union[str, float] = ..., axis1: Union[Vector, str] = ..., fold: Number = ..., enhanced: bool = ..., damping: Number = ..., velocity: Vector = ..., angular_velocity: Vector = ..., centre: Union[Vector, str] = ...) -> Entry:
        """A shell on the quadrilaterals of a mesh. Joints, loads and outputs attach to its nodes: `name.set`, or `name.7` for point 7 of the mesh.

        mesh: The mesh, one of `meshes`.
        section: The section, one of `shell_sections`.
        set: The set of quadrilaterals that make the shell.; Default: all surfaces of the mesh
        axis1: Axis 1 of the section: this direction, projected onto the surface.; Default: x
        fold: Cells whose normals differ by more than this meet in a fold: the angle between them stays constant.
            Meshes with exact normals have folds where these differ.; angle (rad); Default: 20 deg
        enhanced: Cells of 4 nodes: assumed membrane forces, so that they bend well in their plane.; Default: true
        damping: Proportional damping: this time multiplies the stiffness.; time (s); Default: 0
        velocity: Initial velocity of `centre`, global axes.; velocity (m/s); Default: 0
        angular_velocity: Initial angular velocity as a rigid body, global axes.; angular velocity (rad/s); Default:
            0
        centre: The point to which `velocity` refers.; Default: the origin
        """

class SolidsSection(Section):
    """Section `solids`."""
    def solid(self, name: str, *, mesh: Name, material: Name, set: Union[str, float] = ..., axes: Any = ..., enhanced: bool = ..., volumetric: str = ..., damping: Number = ..., velocity: Vector = ..., angular_velocity: Vector = ..., centre: Union[Vector, str] = ...) -> Entry:
        """A solid on the hexahedra and tetrahedra of a mesh: hex8 (with enhanced strains, or for rubber with a mean dilatation), hex20, hex27, tet4, tet10. Supports, couplings and loads attach to its nodes: `name.set`.

        mesh: The mesh, one of `meshes`.
        material: The material, one of `materials`.
        set: The set of cells that make this solid.; Default: all
        axes: The axes 1, 2, 3 of the material, as a rotation of the global axes.; Default: the global axes
        enhanced: hex8: enhanced strains, so that it bends well. In large strains they make it unstable, from
            stretches of 1.75 on, in nearly incompressible materials from 1.1 on; the audit of resolution reports
            where.; Default: true; false in hyperelastic materials whose bulk modulus is above ten times the shear
            modulus
        volumetric: Integration of the resistance to a change of volume. reduced avoids locking of nearly
            incompressible materials: it uses fewer points, or in hyperelastic hex8 the mean dilatation of the cell.
            In large stretches fewer points make an element unstable.; Default: auto: reduced where the bulk modulus
            is above ten times the shear modulus, but full in hyperelastic cells of order 2
        damping: Proportional damping: this time multiplies the stiffness.; time (s); Default: 0
        velocity: Initial velocity of `centre`, global axes.; velocity (m/s); Default: 0
        angular_velocity: Initial angular velocity as a rigid body, global axes.; angular velocity (rad/s); Default:
            0
        centre: The point to which `velocity` refers.; Default: the origin
        """

class CouplingsSection(Section):
    """Section `couplings`."""
    def rigid(self, name: str, *, nodes: Any, at: Union[Vector, str] = ..., axes: Any = ...) -> Entry:
        """A frame to which all nodes of a set are rigidly connected. Joints, loads, motions and masses use its name like the name of a body.

        nodes: The nodes of the coupling: a set of a part on a mesh, `rod.x+`, or a list of sets.
        at: Place of the frame.; Default: the mean of the nodes
        axes: The axes of the frame, as a rotation of the global axes.; Default: the global axes
        """
    def weighted(self, name: str, *, nodes: Any, at: Union[Vector, str] = ..., axes: Any = ..., weights: str = ...) -> Entry:
        """A frame that follows the mean motion of a set. The set is free to deform. Joints, loads, motions and masses use its name like the name of a body.

        nodes: The nodes of the coupling: a set of a part on a mesh, `rod.x+`, or a list of sets.
        at: Place of the frame.; Default: the centre of the set; with equal weights, the mean of the nodes
        axes: The axes of the frame, as a rotation of the global axes.; Default: the global axes
        weights: Weights of the nodes: their share of the area (length, volume) of the set, so that loads are spread
            evenly; or equal.; Default: area; equal where the set has points only
        """

class MassesSection(Section):
    """Section `masses`."""
    def mass(self, name: str, *, body: Name, mass: Number, centre: Vector = ..., inertia: Any = ...) -> Entry:
        """A concentrated mass with its inertia, fixed to a body or to a node of a beam.

        body: The body, or node of a beam, that carries the mass.
        mass: Its mass.; mass (kg)
        centre: Its centre in the axes of that body or node.; length (m); Default: at the node
        inertia: Moments of inertia about the mass centre, in the axes of the body or node that carries the mass.;
            Default: 0
        """

class JointsSection(Section):
    """Section `joints`."""
    def spherical(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ...) -> Entry:
        """A ball joint: a point of A stays on a point of B, all rotations are free.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Axis of the joint (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: The axis on B, where the model as drawn is not assembled.
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        """
    def revolute(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ...) -> Entry:
        """A hinge: B turns about an axis of A. Coordinate: angle.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Axis of the joint (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: The axis on B, where the model as drawn is not assembled.
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        """
    def prismatic(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ...) -> Entry:
        """A slider: B moves along an axis of A without turning. Coordinate: displacement.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Axis of the joint (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: The axis on B, where the model as drawn is not assembled.
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        """
    def cylindrical(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ...) -> Entry:
        """B moves along an axis of A and turns about it. Coordinates: displacement, angle.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Axis of the joint (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: The axis on B, where the model as drawn is not assembled.
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        """
    def screw(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ..., pitch: Number = ..., lead: Number = ...) -> Entry:
        """A thread: B moves along an axis of A in proportion to its rotation about it. Coordinates: displacement, angle.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Axis of the joint (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: The axis on B, where the model as drawn is not assembled.
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        pitch: Advance of B along the axis per radian of its rotation; right-handed when positive.; m/rad
        lead: Advance per revolution, in place of `pitch`.; length (m)
        """
    def planar(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ...) -> Entry:
        """A plane of B glides on a plane of A; the axis is its normal. Coordinates: x, y, angle.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Axis of the joint (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: The axis on B, where the model as drawn is not assembled.
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        """
    def universal(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ...) -> Entry:
        """A Cardan joint: B turns about axis_b of a cross, which turns about axis of A. A frame has axis as its z and axis_b as its x. Coordinates: angle1 (about axis), angle2 (about axis_b).

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: The arm of the cross that is fixed in A (global, as drawn).
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: The arm of the cross that is fixed in B (global, as drawn).
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        """
    def rigid(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ...) -> Entry:
        """A weld: B does not move relative to A.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Axis of the joint (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: The axis on B, where the model as drawn is not assembled.
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        """
    def distance(self, name: str, *, bodies: Sequence[Name], from_: Union[Vector, str], to: Union[Vector, str], length: Number = ...) -> Entry:
        """A massless rod: a point of B stays at a fixed distance from a point of A.

        bodies: The two bodies A and B; ground may be one of them.
        from_: Point on A as drawn (global).
        to: Point on B as drawn (global).
        length: The constant distance.; length (m); Default: the distance as drawn
        """
    def point_on_line(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ...) -> Entry:
        """A point of B stays on a line of A. Coordinate: displacement along the line.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Direction of the line on A (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        """
    def point_on_plane(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ...) -> Entry:
        """A point of B stays on a plane of A. Coordinates: x, y in the plane.

        bodies: The two bodies A and B; ground may be one of them.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: Normal of the plane on A (global, as drawn); z of the joint frame.
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        """
    def primitive_linear(self, name: str, *, bodies: Sequence[Name], component: str, at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., offset: Number = ...) -> Entry:
        """One row: a point of B does not move along one axis of a frame fixed in A.

        bodies: The two bodies A and B; ground may be one of them.
        component: The axis of the joint frame, fixed in A, along which B does not move.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: z of the joint frame (global, as drawn).
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        offset: The constant displacement.; length (m); Default: 0
        """
    def primitive_angular(self, name: str, *, bodies: Sequence[Name], axis: Union[Vector, str], axis_b: Union[Vector, str]) -> Entry:
        """One row: a direction of B stays at right angles to a direction of A.

        bodies: The two bodies A and B; ground may be one of them.
        axis: Direction fixed in A (global, as drawn).
        axis_b: Direction fixed in B (global, as drawn).
        """
    def rolling_disk(self, name: str, *, body: Name, radius: Number, axis: Union[Vector, str], at: Union[Vector, str] = ..., plane_at: Union[Vector, str] = ..., plane_normal: Union[Vector, str] = ...) -> Entry:
        """A thin disc rolls without slip on a plane fixed to the ground. It must not lie flat.

        body: The body that carries the disc.
        radius: Radius of the disc.; length (m)
        axis: Axis of the disc (global, as drawn).
        at: Centre of the disc as drawn (global).; Default: the body's reference point
        plane_at: A point of the plane.; Default: [0, 0, 0]
        plane_normal: Normal of the plane, towards the side of the disc.; Default: z
        """
    def knife_edge(self, name: str, *, body: Name, lateral: Union[Vector, str], at: Union[Vector, str] = ...) -> Entry:
        """A point of the body does not move sideways, as a skate on ice.

        body: The body with the edge.
        lateral: Direction, fixed in the body, of no velocity (global, as drawn).
        at: The point of the edge as drawn (global).; Default: the body's reference point
        """
    def gear(self, name: str, *, joint: Name, to: Name, coordinate: Union[str, float] = ..., to_coordinate: Union[str, float] = ..., ratio: Number = ..., radius: Number = ..., efficiency: Number = ..., slow_speed: Number = ...) -> Entry:
        """Coordinates of two joints move in a fixed ratio, from the pose as drawn: gears, belts, chains, rack and pinion, rope and drum. Both joints must be above the gear in the file. For a planetary gear, use the joints between the wheels and the arm.

        joint: The joint whose coordinate the part acts on.
        to: The joint that moves with the first one.
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        to_coordinate: Which coordinate of that joint.; Default: the only one that fits
        ratio: Motion of `to` over motion of `joint`, both angles or both displacements: -20/60 of 20 teeth on 60
            with parallel axes, 20/60 of a belt or an internal gear.
        radius: Instead of a ratio, for a pinion or drum: displacement of the one joint per radian of the other;
            negative where a positive angle makes the displacement negative.; length (m)
        efficiency: Output power over input power, whichever side drives; the rest is dissipated.; Default: 1
        slow_speed: Rate of the angle of `to` below which losses fade.; angular velocity (rad/s); Default: 0.01
            rad/s; 0.1 mm/s of a displacement
        """
    def sliding(self, name: str, *, on: Union[str, float], body: Name, at: Union[Vector, str], orientation: str = ..., path: Any = ..., closed: bool = ...) -> Entry:
        """A point of a body slides along a beam, a cable, or a smooth curve through points of a body or the ground. Coordinate: s, the distance along the path.

        on: The part to slide on: a beam or a cable; or, with `path`, a body or the ground.
        body: The body that slides; `ground`: a fixed eye through which the beam or cable slides.
        at: Place as drawn (global): this point of the body stays on the path.
        orientation: `follows`: the body turns with the section of the beam, or with the curve.; Default: free
        path: Points of a curve of a body or the ground, as drawn (global): a smooth spline goes through them.;
            Default: the line of the beam or cable
        closed: true: the path is closed, from its last point to its first.; Default: false
        """
    def rope(self, name: str, *, bodies: Sequence[Name], at: Any, length: Number = ..., EA: Number = ..., winch: bool = ..., radius: Union[Sequence[Number], NDArray[Any]] = ..., axis: Union[Vector, str] = ..., sense: Union[Sequence[Number], NDArray[Any]] = ..., turns: Union[Sequence[Number], NDArray[Any]] = ..., friction: Union[Sequence[Number], NDArray[Any]] = ..., bearing_friction: Union[Sequence[Number], NDArray[Any]] = ..., bearing_radius: Union[Sequence[Number], NDArray[Any]] = ..., stiffness: Number = ..., viscous: Number = ...) -> Entry:
        """A massless rope between bodies, over any number of points (pulleys without size) or wheels with a radius, and from drums. Without friction its tension is the same everywhere. Coordinate: length, unstretched.

        bodies: The bodies along the rope, from end to end, one for each place; a body may occur several times.
        at: Places as drawn (global): the start of the rope, the points that it runs over, and its end. Each is a
            point of its body.
        length: Unstretched length.; length (m); Default: the length of its path as drawn
        EA: Axial stiffness, tension per strain; the rope may then be slack. Without EA the rope is straight, does
            not stretch, and can also push.; force (kg m/s^2); Default: it does not stretch
        winch: true: the length is a coordinate, `length`, for a motion, a motor or a gear to a drum.; Default:
            false: the length is constant
        radius: Radius of the wheel at each place, which is its centre; 0: a point. At an end the wheel is a drum,
            which winds up the rope.; length (m); Default: points
        axis: Axis of all wheels, as drawn (global), fixed in the body of each wheel.
        sense: Sense in which the rope, from its first place to its last, goes around each wheel: 1 right-handed
            about the axis, -1 left-handed, 0 the default.; Default: as the line through the places turns; 1 at the
            ends
        turns: Whole turns around each wheel, in addition to the arc as drawn.; Default: 0
        friction: Coefficient of friction at each place: tensions on both sides differ up to e^(coefficient*angle).
            0 at the ends.; Default: 0: the tension is the same on both sides
        bearing_friction: Coefficient of friction of the bearing between each wheel and its body, for wheels that
            are not bodies of the model: tensions differ until the wheel turns.; Default: 0: wheels turn freely, or
            `friction` applies
        bearing_radius: Radius of the pin of each of these bearings.; length (m)
        stiffness: Tangential stiffness of the rope where it sticks to pulleys with friction.; stiffness (kg/s^2);
            Default: the model's weight over 1e-5 of its path
        viscous: Additional viscous friction at each of these pulleys: force per velocity.; damping (kg/s); Default:
            1e-10 s times `stiffness`, which holds a slack rope
        """
    def support(self, name: str, *, nodes: Any, fix: Any = ..., symmetry: Any = ..., axes: Any = ..., about: Union[Vector, str] = ...) -> Entry:
        """Holds nodes of shells, or of other parts on meshes, to the ground.

        nodes: The nodes that are held: a set of a part on a mesh, `skin.left`; or a list of sets, also of several
            parts.
        fix: What is held: components of the place along the axes; the director of a shell (its rotation), or single
            components of it along the axes.; Default: everything; with `symmetry`, only what symmetry requires
        symmetry: The axes normal to planes of symmetry.; Default: none
        axes: The axes x, y, z of `fix`, as a rotation of the global axes.; Default: the global axes
        about: The point about which the moment of the reaction is given.; Default: the place of its first node, as
            drawn
        """

class SpringsSection(Section):
    """Section `springs`."""
    def spring(self, name: str, *, bodies: Sequence[Name], from_: Union[Vector, str], to: Union[Vector, str], stiffness: Any = ..., damping: Any = ..., free_length: Any = ..., preload: Any = ..., stop_min: Number = ..., stop_max: Number = ..., stop_stiffness: Number = ..., stop_damping: Number = ..., cubic: Number = ..., stop_modulus: Number = ..., stop_radius: Number = ..., stop_dissipation: Number = ..., force: Any = ..., maxwell_stiffness: Union[Sequence[Number], NDArray[Any]] = ..., maxwell_time: Union[Sequence[Number], NDArray[Any]] = ..., jenkins_stiffness: Union[Sequence[Number], NDArray[Any]] = ..., jenkins_force: Union[Sequence[Number], NDArray[Any]] = ..., bouc_wen_stiffness: Number = ..., bouc_wen_force: Number = ..., bouc_wen_exponent: Number = ..., bouc_wen_shape: Number = ...) -> Entry:
        """A spring and damper between two points, with stops. Its values are lengths; a pull is positive.

        bodies: The two bodies A and B; ground may be one of them.
        from_: End on A as drawn (global).
        to: End on B as drawn (global).
        stiffness: Stiffness: the pull is this times the elongation.; stiffness (kg/s^2); Default: 0
        damping: Viscous damping.; damping (kg/s); Default: 0
        free_length: Length without force.; length (m); Default: the length as drawn
        preload: Pull added to the spring's, positive where it resists a growing value.; force (kg m/s^2); Default:
            0
        stop_min: Below this value a one-sided spring acts.; length (m); Default: no stop
        stop_max: Above this value a one-sided spring acts.; length (m); Default: no stop
        stop_stiffness: Stiffness of the one-sided springs at the stops.; stiffness (kg/s^2); Default: none
        stop_damping: Viscous damping while a stop is touched: a mass m leaves with exp(-pi z/sqrt(1 - z^2)) of its
            speed, z = stop_damping/(2 sqrt(stop_stiffness m)).; damping (kg/s); Default: 0
        cubic: Hardening: this times the cube of the elongation is added to the force (Duffing). With it, the
            stiffness may be negative: a spring that snaps through.; kg/(m^2 s^2); Default: 0
        stop_modulus: Stops by Hertz' law instead of a stop_stiffness: E*, with 1/E* = (1 - nu1^2)/E1 + (1 -
            nu2^2)/E2 of the two materials. The force is 4/3 E* sqrt(R) p^1.5 at the penetration p.; stress (kg/(m
            s^2)); Default: none
        stop_radius: R of Hertz' law: radius of the sphere on a flat stop, 1/R = 1/R1 + 1/R2 of two spheres.; length
            (m); Default: none
        stop_dissipation: Losses of a stop by Hertz' law (Hunt and Crossley): the force is multiplied by 1 + 1.5 a
            dp/dt with a = stop_dissipation. A slow impact with speed v leaves with (1 - a v) v.; s/m; Default: 0
        force: Pull added to the spring's, positive where it resists a growing value: a function of time and of
            channels, `50 N * tanh(strut.length.rate/(0.1 m/s))`.; force (kg m/s^2); Default: 0
        maxwell_stiffness: Stiffnesses of Maxwell branches, springs with a dashpot in series, in parallel to the
            spring: it is stiffer when it moves fast.; stiffness (kg/s^2); Default: none
        maxwell_time: Relaxation time of each Maxwell branch: its dashpot over its stiffness.; time (s); Default:
            none
        jenkins_stiffness: Stiffnesses of Jenkins elements, springs that slip at a force, in parallel: hysteresis of
            joints and wire ropes (Iwan's model).; stiffness (kg/s^2); Default: none
        jenkins_force: The force at which each Jenkins element slips.; force (kg m/s^2); Default: none
        bouc_wen_stiffness: Initial stiffness of a hysteresis by Bouc and Wen, in parallel.; stiffness (kg/s^2);
            Default: none
        bouc_wen_force: The largest force of this hysteresis.; force (kg m/s^2); Default: none
        bouc_wen_exponent: Exponent n, 1 or more: the larger, the sharper the yielding.; Default: 1
        bouc_wen_shape: beta/(beta + gamma), 0.5 to 1: at 0.5 it unloads with its initial stiffness, above it
            unloads more stiffly.; Default: 0.5
        """
    def joint_spring(self, name: str, *, joint: Name, coordinate: Union[str, float] = ..., stiffness: Any = ..., damping: Any = ..., free_displacement: Any = ..., preload: Any = ..., stop_min: Number = ..., stop_max: Number = ..., stop_stiffness: Number = ..., stop_damping: Number = ..., cubic: Number = ..., stop_modulus: Number = ..., stop_radius: Number = ..., stop_dissipation: Number = ..., force: Any = ..., maxwell_stiffness: Union[Sequence[Number], NDArray[Any]] = ..., maxwell_time: Union[Sequence[Number], NDArray[Any]] = ..., jenkins_stiffness: Union[Sequence[Number], NDArray[Any]] = ..., jenkins_force: Union[Sequence[Number], NDArray[Any]] = ..., bouc_wen_stiffness: Number = ..., bouc_wen_force: Number = ..., bouc_wen_exponent: Number = ..., bouc_wen_shape: Number = ...) -> Entry:
        """A spring and damper along a displacement of a joint, with stops.

        joint: The joint whose coordinate the part acts on.
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        stiffness: Stiffness: the pull is this times the elongation.; stiffness (kg/s^2); Default: 0
        damping: Viscous damping.; damping (kg/s); Default: 0
        free_displacement: Displacement without force.; length (m); Default: 0
        preload: Pull added to the spring's, positive where it resists a growing value.; force (kg m/s^2); Default:
            0
        stop_min: Below this value a one-sided spring acts.; length (m); Default: no stop
        stop_max: Above this value a one-sided spring acts.; length (m); Default: no stop
        stop_stiffness: Stiffness of the one-sided springs at the stops.; stiffness (kg/s^2); Default: none
        stop_damping: Viscous damping while a stop is touched: a mass m leaves with exp(-pi z/sqrt(1 - z^2)) of its
            speed, z = stop_damping/(2 sqrt(stop_stiffness m)).; damping (kg/s); Default: 0
        cubic: Hardening: this times the cube of the elongation is added to the force (Duffing). With it, the
            stiffness may be negative: a spring that snaps through.; kg/(m^2 s^2); Default: 0
        stop_modulus: Stops by Hertz' law instead of a stop_stiffness: E*, with 1/E* = (1 - nu1^2)/E1 + (1 -
            nu2^2)/E2 of the two materials. The force is 4/3 E* sqrt(R) p^1.5 at the penetration p.; stress (kg/(m
            s^2)); Default: none
        stop_radius: R of Hertz' law: radius of the sphere on a flat stop, 1/R = 1/R1 + 1/R2 of two spheres.; length
            (m); Default: none
        stop_dissipation: Losses of a stop by Hertz' law (Hunt and Crossley): the force is multiplied by 1 + 1.5 a
            dp/dt with a = stop_dissipation. A slow impact with speed v leaves with (1 - a v) v.; s/m; Default: 0
        force: Pull added to the spring's, positive where it resists a growing value: a function of time and of
            channels, `2 kN*s^2/m^2 * slider.displacement.rate * abs(slider.displacement.rate)`.; force (kg m/s^2);
            Default: 0
        maxwell_stiffness: Stiffnesses of Maxwell branches, springs with a dashpot in series, in parallel to the
            spring: it is stiffer when it moves fast.; stiffness (kg/s^2); Default: none
        maxwell_time: Relaxation time of each Maxwell branch: its dashpot over its stiffness.; time (s); Default:
            none
        jenkins_stiffness: Stiffnesses of Jenkins elements, springs that slip at a force, in parallel: hysteresis of
            joints and wire ropes (Iwan's model).; stiffness (kg/s^2); Default: none
        jenkins_force: The force at which each Jenkins element slips.; force (kg m/s^2); Default: none
        bouc_wen_stiffness: Initial stiffness of a hysteresis by Bouc and Wen, in parallel.; stiffness (kg/s^2);
            Default: none
        bouc_wen_force: The largest force of this hysteresis.; force (kg m/s^2); Default: none
        bouc_wen_exponent: Exponent n, 1 or more: the larger, the sharper the yielding.; Default: 1
        bouc_wen_shape: beta/(beta + gamma), 0.5 to 1: at 0.5 it unloads with its initial stiffness, above it
            unloads more stiffly.; Default: 0.5
        """
    def torsion_spring(self, name: str, *, joint: Name, coordinate: Union[str, float] = ..., stiffness: Any = ..., damping: Any = ..., free_angle: Any = ..., preload: Any = ..., stop_min: Number = ..., stop_max: Number = ..., stop_stiffness: Number = ..., stop_damping: Number = ..., cubic: Number = ..., torque: Any = ..., maxwell_stiffness: Union[Sequence[Number], NDArray[Any]] = ..., maxwell_time: Union[Sequence[Number], NDArray[Any]] = ..., jenkins_stiffness: Union[Sequence[Number], NDArray[Any]] = ..., jenkins_force: Union[Sequence[Number], NDArray[Any]] = ..., bouc_wen_stiffness: Number = ..., bouc_wen_force: Number = ..., bouc_wen_exponent: Number = ..., bouc_wen_shape: Number = ...) -> Entry:
        """A spring and damper about an angle of a joint, with stops; the angle counts turns.

        joint: The joint whose coordinate the part acts on.
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        stiffness: Stiffness: the pull is this times the elongation.; torsional stiffness (kg m^2/(s^2 rad));
            Default: 0
        damping: Viscous damping.; torsional damping (kg m^2/(s rad)); Default: 0
        free_angle: Angle without torque.; angle (rad); Default: 0
        preload: Pull added to the spring's, positive where it resists a growing value.; energy or moment (kg
            m^2/s^2); Default: 0
        stop_min: Below this value a one-sided spring acts.; angle (rad); Default: no stop
        stop_max: Above this value a one-sided spring acts.; angle (rad); Default: no stop
        stop_stiffness: Stiffness of the one-sided springs at the stops.; torsional stiffness (kg m^2/(s^2 rad));
            Default: none
        stop_damping: Viscous damping while a stop is touched: a mass m leaves with exp(-pi z/sqrt(1 - z^2)) of its
            speed, z = stop_damping/(2 sqrt(stop_stiffness m)).; torsional damping (kg m^2/(s rad)); Default: 0
        cubic: Hardening: this times the cube of the elongation is added to the force (Duffing). With it, the
            stiffness may be negative: a spring that snaps through.; kg m^2/(s^2 rad^3); Default: 0
        torque: Torque added to the spring's, positive where it resists a growing value: a function of time and of
            channels, `3 N*m * sin(hinge.angle)`.; energy or moment (kg m^2/s^2); Default: 0
        maxwell_stiffness: Stiffnesses of Maxwell branches, springs with a dashpot in series, in parallel to the
            spring: it is stiffer when it moves fast.; torsional stiffness (kg m^2/(s^2 rad)); Default: none
        maxwell_time: Relaxation time of each Maxwell branch: its dashpot over its stiffness.; time (s); Default:
            none
        jenkins_stiffness: Stiffnesses of Jenkins elements, springs that slip at a force, in parallel: hysteresis of
            joints and wire ropes (Iwan's model).; torsional stiffness (kg m^2/(s^2 rad)); Default: none
        jenkins_force: The force at which each Jenkins element slips.; energy or moment (kg m^2/s^2); Default: none
        bouc_wen_stiffness: Initial stiffness of a hysteresis by Bouc and Wen, in parallel.; torsional stiffness (kg
            m^2/(s^2 rad)); Default: none
        bouc_wen_force: The largest force of this hysteresis.; energy or moment (kg m^2/s^2); Default: none
        bouc_wen_exponent: Exponent n, 1 or more: the larger, the sharper the yielding.; Default: 1
        bouc_wen_shape: beta/(beta + gamma), 0.5 to 1: at 0.5 it unloads with its initial stiffness, above it
            unloads more stiffly.; Default: 0.5
        """
    def pivot_friction(self, name: str, *, joint: Name, coefficient: Number, radius: Number, coordinate: Union[str, float] = ..., static: Number = ..., stribeck: Number = ..., damping: Number = ..., preload: Number = ..., stiffness: Number = ..., presliding: Number = ..., length: Number = ..., end_radius: Number = ...) -> Entry:
        """Dry friction about an angle of a joint (revolute, universal, cylindrical, screw). Its strength follows from the reaction of the joint.

        joint: The joint whose coordinate the part acts on.
        coefficient: Coefficient of friction in sliding.
        radius: Radius of the pin: arm of the friction by forces across it.; length (m)
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        static: Coefficient of friction in sticking.; Default: coefficient
        stribeck: Velocity over which the coefficient falls from static to sliding: to 1/e of the difference.;
            angular velocity (rad/s); Default: 0: at once
        damping: Viscous friction, for example of a lubricant.; torsional damping (kg m^2/(s rad)); Default: 0
        preload: Friction without load, for example of a seal or a clamp.; energy or moment (kg m^2/s^2); Default: 0
        stiffness: Tangential stiffness in sticking.; torsional stiffness (kg m^2/(s^2 rad)); Default: static
            friction under the model's weight, over `presliding`
        presliding: Elastic slip under the model's weight, in place of `stiffness`.; angle (rad); Default: 1e-4 rad
        length: Length of the bearing: a moment across it is a pair of forces at its ends.; length (m); Default:
            moments cause no friction
        end_radius: Radius of the shoulder: arm of the friction by the force along the axis.; length (m); Default:
            radius
        """
    def slide_friction(self, name: str, *, joint: Name, coefficient: Number, coordinate: Union[str, float] = ..., static: Number = ..., stribeck: Number = ..., damping: Number = ..., preload: Number = ..., stiffness: Number = ..., presliding: Number = ..., radius: Number = ..., length: Number = ..., arm: Number = ...) -> Entry:
        """Dry friction along a displacement of a joint (prismatic, cylindrical, screw, planar, sliding). Its strength follows from the reaction of the joint.

        joint: The joint whose coordinate the part acts on.
        coefficient: Coefficient of friction in sliding.
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        static: Coefficient of friction in sticking.; Default: coefficient
        stribeck: Velocity over which the coefficient falls from static to sliding: to 1/e of the difference.;
            velocity (m/s); Default: 0: at once
        damping: Viscous friction, for example of a lubricant.; damping (kg/s); Default: 0
        preload: Friction without load, for example of a seal or a clamp.; force (kg m/s^2); Default: 0
        stiffness: Tangential stiffness in sticking.; stiffness (kg/s^2); Default: static friction under the model's
            weight, over `presliding`
        presliding: Elastic slip under the model's weight, in place of `stiffness`.; length (m); Default: 0.01 mm
        radius: Cylindrical joint: radius of the bar. With it, friction also acts on the rotation.; length (m);
            Default: no friction on the rotation
        length: Length of the guide: a moment across it is a pair of forces at its ends.; length (m); Default:
            moments cause no friction
        arm: Distance between the axis and the contact that carries a moment about the axis.; length (m); Default:
            this moment causes no friction
        """
    def ball_friction(self, name: str, *, joint: Name, radius: Number, coefficient: Number, static: Number = ..., stribeck: Number = ..., damping: Number = ..., preload: Number = ..., stiffness: Number = ..., presliding: Number = ...) -> Entry:
        """Dry friction about all axes of a spherical joint. Its strength follows from the reaction of the joint.

        joint: The spherical joint.
        radius: Radius of the ball: arm of the friction by the force of the joint.; length (m)
        coefficient: Coefficient of friction in sliding.
        static: Coefficient of friction in sticking.; Default: coefficient
        stribeck: Velocity over which the coefficient falls from static to sliding: to 1/e of the difference.;
            angular velocity (rad/s); Default: 0: at once
        damping: Viscous friction, for example of a lubricant.; torsional damping (kg m^2/(s rad)); Default: 0
        preload: Friction without load, for example of a seal or a clamp.; energy or moment (kg m^2/s^2); Default: 0
        stiffness: Tangential stiffness in sticking.; torsional stiffness (kg m^2/(s^2 rad)); Default: static
            friction under the model's weight, over `presliding`
        presliding: Elastic slip under the model's weight, in place of `stiffness`.; angle (rad); Default: 1e-4 rad
        """
    def bushing(self, name: str, *, bodies: Sequence[Name], stiffness: Any, at: Union[Vector, str] = ..., axis: Union[Vector, str] = ..., frame: Any = ..., at_b: Union[Vector, str] = ..., axis_b: Union[Vector, str] = ..., frame_b: Any = ..., damping: Any = ..., cubic: Vector = ..., turning_cubic: Vector = ..., maxwell_share: Union[Sequence[Number], NDArray[Any]] = ..., maxwell_time: Union[Sequence[Number], NDArray[Any]] = ...) -> Entry:
        """A 6x6 spring and damper between two frames: displacements of B relative to A and the rotation vector of frame B relative to frame A, in axes of A. For rotations below half a turn.

        bodies: The two bodies A and B; ground may be one of them.
        stiffness: Stiffness over three displacements and the rotation vector, axes of A's frame; symmetric, not
            negative.
        at: Where the joint is, as drawn (global).; Default: of a node of a beam or cable: that node; of a rigid
            joint: body B
        axis: z of the bushing's frame (global, as drawn).
        frame: The joint frame as drawn (global), in place of an axis; its z is the axis.; Default: made from the
            axis; the global frame when there is none
        at_b: The joint's point on B, where the model as drawn is not assembled.; Default: at
        axis_b: z of the frame on B, where it differs as drawn.
        frame_b: The joint frame on B, where it differs from the one on A as drawn.; Default: the frame on A
        damping: Damping over the rates of the same.; Default: 0
        cubic: Hardening along the three axes of A's frame: this times the cube of the displacement is added to the
            force.; kg/(m^2 s^2); Default: 0
        turning_cubic: Hardening of the three components of the rotation vector.; kg m^2/(s^2 rad^3); Default: 0
        maxwell_share: Maxwell branches, springs with a dashpot in series, in parallel: the stiffness of each as a
            share of `stiffness`. It is stiffer when it moves fast.; Default: none
        maxwell_time: Relaxation time of each Maxwell branch.; time (s); Default: none
        """
    def hydraulic_cylinder(self, name: str, *, bodies: Sequence[Name], from_: Union[Vector, str], to: Union[Vector, str], area_a: Number, area_b: Number, closed: Number, open: Number, dead_volume: Number = ..., bulk_modulus: Number = ..., leakage: Number = ..., damping: Number = ..., flow_a: Any = ..., flow_b: Any = ..., pressure_a: Number = ..., pressure_b: Number = ...) -> Entry:
        """A hydraulic cylinder between two points: two chambers with compressible oil, fed by given flows. Coordinates: pressure_a, pressure_b, in Pa.

        bodies: The two bodies A and B; ground may be one of them.
        from_: End on A as drawn (global).
        to: End on B as drawn (global).
        area_a: Area of the piston: pressure_a pushes the ends apart on it.; area (m^2)
        area_b: Area of the ring around the rod, on which pressure_b pulls.; area (m^2)
        closed: Length where chamber a is empty.; length (m)
        open: Length where chamber b is empty.; length (m)
        dead_volume: Volume of oil in each chamber that remains when it is empty, with its hose.; volume (m^3);
            Default: 5 % of the largest volume of the chamber a
        bulk_modulus: Bulk modulus of the oil, with the air in it.; stress (kg/(m s^2)); Default: 1.4 GPa
        leakage: Flow past the piston over the difference of pressures.; m^4 s/kg; Default: 0
        damping: Viscous friction of the seals.; damping (kg/s); Default: 0
        flow_a: Flow into chamber a: a function of time and of channels, `pump(lift.pressure_a)` with a table of
            flow over pressure.; m^3/s; Default: 0
        flow_b: Flow into chamber b.; m^3/s; Default: 0
        pressure_a: Pressure in chamber a at the start, above that outside.; stress (kg/(m s^2)); Default: 0
        pressure_b: Pressure in chamber b at the start.; stress (kg/(m s^2)); Default: 0
        """
    def one_way_clutch(self, name: str, *, joint: Name, stiffness: Number, coordinate: Union[str, float] = ..., free: str = ..., damping: Number = ..., torque: Number = ...) -> Entry:
        """A one-way clutch (freewheel, backstop) about an angle of a joint: B turns freely against A in one sense and is held in the other.

        joint: The joint whose coordinate the part acts on.
        stiffness: Stiffness of the locked clutch.; torsional stiffness (kg m^2/(s^2 rad))
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        free: The sense in which B turns freely against A.; Default: positive
        damping: Damping of the locked clutch: without it a wheel rebounds.; torsional damping (kg m^2/(s rad));
            Default: 0
        torque: The torque at which the locked clutch slips.; energy or moment (kg m^2/s^2); Default: it does not
            slip
        """
    def brake(self, name: str, *, joint: Name, torque: Any, stiffness: Number, coordinate: Union[str, float] = ...) -> Entry:
        """A brake about an angle of a joint: dry friction of a given strength, which also holds the joint at rest.

        joint: The joint whose coordinate the part acts on.
        torque: Largest resistance of the brake: a function of time and of channels, or an input. The brake is open
            where it is zero or negative.; energy or moment (kg m^2/s^2)
        stiffness: Stiffness of the brake while it holds, for example the largest torque over 1e-4 rad.; torsional
            stiffness (kg m^2/(s^2 rad))
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        """
    def tyre(self, name: str, *, bodies: Sequence[Name], at: Union[Vector, str], radius: Number, stiffness: Number, on: Union[Vector, str] = ..., normal: Union[Vector, str] = ..., damping: Number = ..., load: Number = ..., road: Any = ...) -> Entry:
        """A tyre as a one-sided radial spring and damper between the centre of a wheel and a plane. It carries load only: it has no forces of driving, braking or steering. Coordinate: displacement, the height of the centre over the plane.

        bodies: The body of the plane, usually ground, and the wheel or its hub.
        at: Centre of the wheel as drawn (global).
        radius: Radius of the wheel without load.; length (m)
        stiffness: Radial stiffness of the tyre.; stiffness (kg/s^2)
        on: A point of the plane as drawn (global).; Default: the origin
        normal: Normal of the plane, towards the wheel (global, as drawn).; Default: z
        damping: Radial damping of the tyre at its static load.; damping (kg/s); Default: 0
        load: The static load at which the tyre has this damping; required with `damping`.; force (kg m/s^2);
            Default: none
        road: Height of the road over the plane: a function of time and of channels, `bump(wheel.position.x)` with a
            table of heights over places.; length (m); Default: 0
        """

class MotionsSection(Section):
    """Section `motions`."""
    def motion(self, name: str, *, joint: Name, coordinate: Union[str, float] = ..., displacement: Any = ..., angle: Any = ..., velocity: Signal = ..., speed: Signal = ...) -> Entry:
        """A coordinate of a joint follows a given function of time, or of other coordinates: a cam, a linkage, a gear whose ratio changes.

        joint: The joint whose coordinate the part acts on.
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        displacement: The coordinate, where it is a displacement, over time or by other coordinates:
            `cam(shaft.angle)`; zero is the joint as drawn.; length (m)
        angle: The coordinate, where it is an angle, over time or by other coordinates; zero is the joint as drawn.;
            angle (rad)
        velocity: In place of a displacement, its rate over time. The rate is integrated from the joint as drawn at
            t = 0.; velocity (m/s)
        speed: In place of an angle, its rate over time. The rate is integrated from the joint as drawn at t = 0.;
            angular velocity (rad/s)
        """

class LoadsSection(Section):
    """Section `loads`."""
    def force(self, name: str, *, body: Name, force: Any, follower: bool = ..., at: Union[Vector, str] = ..., point: Vector = ...) -> Entry:
        """A force on a body, at a point of it.

        body: The body that the load acts on.
        force: Components of the force over time: global axes, or body axes of a follower. They may depend on
            channels: `-2 N*s/m * arm.velocity.x`; `here` is their point.; force (kg m/s^2)
        follower: Components in body axes, turning with the body.; Default: false
        at: Point of application as drawn (global).
        point: Point of application in body coordinates, in place of `at`.; length (m); Default: the body's
            reference point
        """
    def moment(self, name: str, *, body: Name, moment: Any, follower: bool = ...) -> Entry:
        """A moment on a body.

        body: The body that the load acts on.
        moment: Components of the moment over time: global axes, or body axes of a follower. They may depend on
            channels: `-2 N*m*s/rad * arm.omega.x`.; energy or moment (kg m^2/s^2)
        follower: Components in body axes, turning with the body.; Default: false
        """
    def motor(self, name: str, *, joint: Name, coordinate: Union[str, float] = ..., force: Any = ..., torque: Any = ...) -> Entry:
        """A force or torque between the bodies of a joint, along or about its coordinate.

        joint: The joint whose coordinate the part acts on.
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        force: Force on B over time, along a displacement; the opposite acts on A. It may depend on channels: `-3
            N*s/m * slider.displacement.rate`.; force (kg m/s^2)
        torque: Torque on B over time, about an angle; the opposite acts on A. It may depend on channels: `-2
            N*m*s/rad * hinge.angle.rate`.; energy or moment (kg m^2/s^2)
        """
    def dc_motor(self, name: str, *, joint: Name, voltage: Any, constant: Number, resistance: Number, coordinate: Union[str, float] = ..., inductance: Number = ..., current: Number = ...) -> Entry:
        """A direct-current motor about an angle of a joint, with the circuit of its winding. Coordinate: current, in amperes.

        joint: The joint whose coordinate the part acts on.
        voltage: Voltage at the terminals, in volts, a plain number: a function of time and of channels,
            `24*tanh(5*(30 deg - shaft.angle)/(1 rad))`.
        constant: Torque of one ampere; the same number is the voltage at 1 rad/s.; energy or moment (kg m^2/s^2)
        resistance: Resistance of the winding, in ohms, a plain number.
        coordinate: Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).; Default: the only
            one that fits
        inductance: Inductance of the winding, in henries, a plain number.; Default: 0: the current follows at once
        current: Current at the start, in amperes.; Default: 0
        """
    def line_load(self, name: str, *, beam: Name = ..., cable: Name = ..., force: Any = ..., moment: Any = ..., follower: bool = ...) -> Entry:
        """A force or moment per length along a whole beam, dead or following; a force per length along a whole cable.

        beam: The beam that the load acts on.
        cable: The cable that the load acts on, instead of a beam.
        force: Force per length of the reference line (of a cable: per unstretched length) over time: global axes,
            or section axes of a follower. It may depend on channels; `here` is the point of the line: `-3 N*s/m^2 *
            here.velocity.z`.; stiffness (kg/s^2)
        moment: Moment per length of the reference line over time: global axes, or section axes of a follower.;
            force (kg m/s^2)
        follower: true: components in section axes, which turn with the beam. Cables have no such axes.; Default:
            false
        """
    def pressure(self, name: str, *, faces: Any, pressure: Any) -> Entry:
        """Pressure on faces, which follows them as they turn and stretch. Its work is pressure times the volume swept.

        faces: Where it acts: a set of faces of a part on a mesh, `skin.top`; or a shell as a whole, by name; or a
            list of such sets.
        pressure: Pressure over time: along the normal of a shell, against that of a solid's face. It may depend on
            channels; NAME.pressure is then a channel, too.; stress (kg/(m s^2))
        """
    def surface_load(self, name: str, *, faces: Any, force: Any) -> Entry:
        """A dead force per area on faces.

        faces: Where it acts: a set of faces of a part on a mesh, `skin.top`; or a shell as a whole, by name; or a
            list of such sets.
        force: Force per area as drawn, over time, global axes. It may depend on channels; `here` is the point of
            the face: `-2 Pa*s/m * here.velocity.z`.; stress (kg/(m s^2))
        """
    def edge_load(self, name: str, *, edges: Any, force: Any = ..., moment: Any = ..., normal: Any = ..., bending: Any = ..., tension: Any = ...) -> Entry:
        """Forces and moments per length along edges: dead, or following the edge of a shell.

        edges: Where it acts: a set of edges of a part on a mesh, `skin.top`; or a shell as a whole, by name; or a
            list of such sets.
        force: Force per length as drawn, over time, global axes. It may depend on channels; `here` is the point of
            the edge.; stiffness (kg/s^2)
        moment: Moment per length as drawn, over time, global axes.; force (kg m/s^2)
        normal: Force per length as drawn along the normal of a shell, which turns with it.; stiffness (kg/s^2)
        bending: Moment per length about the rim of a shell, which turns and stretches with it; positive where it
            pulls on the side that the normal points to.; force (kg m/s^2)
        tension: Force per length in the shell, outwards and normal to its rim, which turns and stretches with it.;
            stiffness (kg/s^2)
        """

class StatesSection(Section):
    """Section `states`."""
    def state(self, name: str, *, rate: Any, initial: Number = ..., scale: Number = ..., unit: Union[str, float] = ...) -> Entry:
        """A variable with an equation of its own, x' = rate: a filter, the integral of a controller, a current, a pressure. Coordinate: value.

        rate: Its rate: an expression of channels, signals and time. Its own value is NAME.value, or NAME alone.;
            frequency (1/s)
        initial: Its value at the start.; Default: 0
        scale: Typical size of its values, if not 1. The accuracy of the solution refers to this size.; Default: 1,
            or the size of initial if that is larger
        unit: Name of the unit of its values, for results: `A`, `Pa`. The unit does not change any number.; Default:
            1
        """
    def sampled(self, name: str, *, value: Any, period: Number, start: Number = ..., initial: Number = ..., scale: Number = ..., unit: Union[str, float] = ...) -> Entry:
        """A variable of a digital controller: computed at sample times from the state there, and constant until the next sample. All samples of one time read the values from before it. Coordinate: value.

        value: Value of a sample: an expression of channels, signals and time, in SI units. Its own value before the
            sample is NAME.value, or NAME alone.
        period: Time between samples, a whole number of steps.; time (s)
        start: Time of the first sample.; time (s); Default: 0
        initial: Its value before the first sample.; Default: 0
        scale: Typical size of the values, if not 1.; Default: 1, or the size of initial if that is larger
        unit: Name of the unit of its values, for results: `A`, `Pa`. The unit does not change any number.; Default:
            1
        """
    def pid(self, name: str, *, error: Any, kp: Number = ..., ki: Number = ..., kd: Number = ..., filter: Number = ..., min: Number = ..., max: Number = ..., anti_windup: Number = ..., initial: Number = ..., period: Number = ..., start: Number = ..., scale: Number = ..., unit: Union[str, float] = ...) -> Entry:
        """A controller with proportional, integral and rate terms, limits and anti-windup: continuous, or digital with a period. Coordinates: error, integral, value; with kd filtered, or derivative of a digital one.

        error: The control error, in SI units: `target - hinge.angle`.
        kp: Gain, in SI units.; Default: 0
        ki: Gain of the integral, in SI units.; Default: 0
        kd: Gain of the rate, in SI units.; Default: 0
        filter: Time constant of the lag through which the rate is taken. Needed with kd, unless there is a period.;
            time (s); Default: 0
        min: Least value.; Default: none
        max: Largest value.; Default: none
        anti_windup: Time in which the integral follows a value that is limited.; time (s); Default: sqrt(kd/ki),
            without kd kp/ki
        initial: Share of the integral in the value at the start.; Default: 0
        period: Of a digital controller: time between samples, a whole number of steps.; time (s); Default:
            continuous
        start: Of a digital controller: time of the first sample.; time (s); Default: 0
        scale: Typical size of the variable.; Default: its value for an error of 1, at least 1
        unit: Name of the unit of its values, for results: `A`, `Pa`. The unit does not change any number.; Default:
            1
        """
    def transfer_function(self, name: str, *, input: Any, numerator: Union[Sequence[Number], NDArray[Any]], denominator: Union[Sequence[Number], NDArray[Any]], period: Number = ..., start: Number = ..., scale: Number = ..., unit: Union[str, float] = ...) -> Entry:
        """A linear system by its transfer function from input to value, or its samples. It starts at rest. Coordinates: input, state1, state2 ..., value.

        input: Input u: an expression of channels, signals and time, in SI units.
        numerator: Coefficients, the highest power first, in SI units.
        denominator: Coefficients, the highest power first: `[1, 2, 5]` is s^2 + 2 s + 5 (z for s with a period).
        period: Of a digital block: time between samples, a whole number of steps.; time (s); Default: continuous
        start: Of a digital block: time of the first sample.; time (s); Default: 0
        scale: Typical size of the block's variables, if not 1.; Default: 1
        unit: Name of the unit of its values, for results: `A`, `Pa`. The unit does not change any number.; Default:
            1
        """
    def state_space(self, name: str, *, input: Any, A: Any, B: Any, C: Any, period: Number = ..., start: Number = ..., scale: Number = ..., unit: Union[str, float] = ..., D: Any = ..., initial: Union[Sequence[Number], NDArray[Any]] = ...) -> Entry:
        """A linear system x' = A x + B u, y = C x + D u, or its samples. Coordinates: input, input2 ..., state1, state2 ..., value, value2 ...

        input: Input u: an expression of channels, signals and time, in SI units; or a list of up to 8.
        A: n rows of n numbers, in SI units.
        B: n numbers; of several inputs n rows with a number for each.
        C: One row of n numbers for every output.
        period: Of a digital block: time between samples, a whole number of steps.; time (s); Default: continuous
        start: Of a digital block: time of the first sample.; time (s); Default: 0
        scale: Typical size of the block's variables, if not 1.; Default: 1
        unit: Name of the unit of its values, for results: `A`, `Pa`. The unit does not change any number.; Default:
            1
        D: One number for every output; of several inputs one row for every output.; Default: 0
        initial: The n states at the start.; Default: 0
        """

class ShapesSection(Section):
    """Section `shapes`."""
    def sphere(self, name: str, *, on: Name, radius: Number, density: Number = ..., at: Union[Vector, str] = ...) -> Entry:
        """A ball on a body.

        on: The body, or ground, that carries the shape.
        radius: Radius.; length (m)
        density: Adds the mass of the shape, without its rounding, to the mass of its body.; density (kg/m^3);
            Default: none
        at: Its centre as drawn (global).; Default: the body's reference point
        """
    def capsule(self, name: str, *, on: Name, from_: Union[Vector, str], to: Union[Vector, str], radius: Number, density: Number = ...) -> Entry:
        """A rod with round ends on a body.

        on: The body, or ground, that carries the shape.
        from_: One end of the centre line, as drawn (global).
        to: The other end of the centre line, as drawn (global).
        radius: Radius around the line, and of both ends.; length (m)
        density: Adds the mass of the shape, without its rounding, to the mass of its body.; density (kg/m^3);
            Default: none
        """
    def box(self, name: str, *, on: Name, size: Vector, density: Number = ..., at: Union[Vector, str] = ..., axes: Any = ..., rounding: Number = ...) -> Entry:
        """A box with rounded edges on a body.

        on: The body, or ground, that carries the shape.
        size: Lengths of the edges, rounding included.; length (m)
        density: Adds the mass of the shape, without its rounding, to the mass of its body.; density (kg/m^3);
            Default: none
        at: Its centre as drawn (global).; Default: the body's reference point
        axes: The directions of the edges, as a rotation of the global axes, as drawn.; Default: the body axes
        rounding: Radius of the edges and corners.; length (m); Default: sharp on planes; 5 % of the least edge on
            other shapes
        """
    def disc(self, name: str, *, on: Name, axis: Union[Vector, str], radius: Number, density: Number = ..., at: Union[Vector, str] = ..., rounding: Number = ...) -> Entry:
        """A disc with a round rim on a body: a wheel, a coin.

        on: The body, or ground, that carries the shape.
        axis: Its axis as drawn (global).
        radius: Radius, rounding included.; length (m)
        density: Adds the mass of the shape, without its rounding, to the mass of its body.; density (kg/m^3);
            Default: none
        at: Its centre as drawn (global).; Default: the body's reference point
        rounding: Radius of the rim: half of the thickness.; length (m); Default: 5 % of the radius
        """
    def cylinder(self, name: str, *, on: Name, axis: Union[Vector, str], radius: Number, length: Number, density: Number = ..., at: Union[Vector, str] = ..., rounding: Number = ...) -> Entry:
        """A cylinder with rounded edges on a body.

        on: The body, or ground, that carries the shape.
        axis: Its axis as drawn (global).
        radius: Radius, rounding included.; length (m)
        length: Length along the axis, rounding included.; length (m)
        density: Adds the mass of the shape, without its rounding, to the mass of its body.; density (kg/m^3);
            Default: none
        at: Its centre as drawn (global).; Default: the body's reference point
        rounding: Radius of the edges.; length (m); Default: sharp on planes; on other shapes 5 % of the diameter or
            of the length, whichever is less
        """
    def hull(self, name: str, *, on: Name, density: Number = ..., points: Any = ..., rounding: Number = ..., mesh: Name = ...) -> Entry:
        """The convex hull of points on a body, with a rounding around it.

        on: The body, or ground, that carries the shape.
        density: Adds the mass of the shape, without its rounding, to the mass of its body.; density (kg/m^3);
            Default: none
        points: Points as drawn (global). The hull is the smallest convex body that contains them; points inside it
            are left out. Of more than 128 corners, 128 are used if the others are outside by less than a tenth of
            the rounding.
        rounding: Distance of the surface from the hull, outwards.; length (m); Default: 2.5 % of the largest
            distance of two points
        mesh: Instead of points: the points of a mesh as drawn, for example of a file of triangles.
        """
    def plane(self, name: str, *, on: Name, normal: Union[Vector, str], at: Union[Vector, str] = ...) -> Entry:
        """A plane of a body or of the ground. Everything behind the plane is solid.

        on: The body, or ground, that carries the shape.
        normal: Normal of the plane, out of the solid side, as drawn (global).
        at: A point of the plane as drawn (global).; Default: the body's reference point
        """
    def socket(self, name: str, *, on: Name, radius: Number, at: Union[Vector, str] = ...) -> Entry:
        """The inside of a sphere. With a sphere in it: a spherical joint with clearance, or a bowl.

        on: The body, or ground, that carries the shape.
        radius: Radius: that of the shape inside plus the clearance.; length (m)
        at: Its centre as drawn (global).; Default: the body's reference point
        """
    def hole(self, name: str, *, on: Name, radius: Number, axis: Union[Vector, str], at: Union[Vector, str] = ...) -> Entry:
        """The inside of a long tube. With a capsule or a cylinder in it: a pin in a hole.

        on: The body, or ground, that carries the shape.
        radius: Radius: that of the shape inside plus the clearance.; length (m)
        axis: Its axis as drawn (global).
        at: A point of its axis as drawn (global).; Default: the body's reference point
        """
    def surface(self, name: str, *, on: Name, mesh: Name, set: Union[str, float] = ..., thickness: Number = ..., inside: bool = ...) -> Entry:
        """Triangles of a mesh on a body or on the ground. Spheres touch them, skins and lines with their points, capsules, boxes and hulls with their corners and edges, cylinders and discs with their circles and sides. The nearest triangle is touched, from either side.

        on: The body, or ground, that carries the shape.
        mesh: The mesh, as drawn (global): its faces, or those around its solids.
        set: The set of the mesh to use.; Default: all
        thickness: Thickness of the surface: half of it lies on either side.; length (m); Default: 0
        inside: true: shapes move inside of a closed surface, as in a room; normals point inwards.; Default: false
        """
    def skin(self, name: str, *, faces: Any, thickness: Number = ...) -> Entry:
        """Faces of a solid or of a shell. Its nodes touch planes, boxes, capsules and triangles of other skins and surfaces; spheres and corners touch its triangles.

        faces: A set of faces of a part on a mesh, `block.z-`; or a shell, or a solid with all its faces, by name.
        thickness: Half of it is the radius of its points and faces: of a shell, its own thickness.; length (m);
            Default: 10 % of the mean edge of its triangles
        """
    def line(self, name: str, *, radius: Number, beam: Name = ..., cable: Name = ..., self_: bool = ...) -> Entry:
        """The surface of a circle swept along a beam or cable. Contact forces act at the line itself, so friction does not twist a beam.

        radius: Radius around the line, and of both ends.; length (m)
        beam: The beam; or give a cable.
        cable: The cable.
        self_: true: the shape can touch itself, in contacts `among` shapes.; Default: false
        """
    def coating(self, name: str, *, shapes: Any, friction: Number = ..., restitution: Number = ..., modulus: Number = ...) -> Entry:
        """Coefficients of shapes. A contact that does not give a coefficient combines those of its two shapes: the geometric mean of frictions, the smaller restitution, moduli in series.

        shapes: The shapes with this coating, or patterns of names. The shapes must be above the coating in the
            file.
        friction: Coefficient of friction with a shape of the same coating.; Default: not said
        restitution: Speed after an impact over the speed before it, from 0 to 1 (0 counts as 0.002).; Default: not
            said
        modulus: Of contacts by Hertz' law: Young's modulus over 1 - nu^2.; stress (kg/(m s^2)); Default: not said
        """

class ContactsSection(Section):
    """Section `contacts`."""
    def contact(self, name: str, *, between: Any = ..., among: Any = ..., law: str = ..., stiffness: Any = ..., modulus: Number = ..., restitution: Number = ..., friction: Number = ..., static_friction: Number = ..., stribeck: Number = ..., viscous: Number = ..., grip: Number = ..., area_stiffness: Number = ..., length_stiffness: Number = ..., unresolved: str = ..., rolling: Number = ..., spinning: Number = ..., except_: Any = ..., initial: str = ..., distance: Number = ...) -> Entry:
        """Contact forces and friction between shapes that touch.

        between: Two shapes; or two groups, as patterns of names or lists: each shape of one group can touch each
            shape of the other.
        among: Shapes, or patterns of names, that can all touch each other, except shapes of one body and of bodies
            that a joint connects.
        law: How the force grows with the penetration. A barrier acts from a given distance on and grows without
            bound, so that shapes never touch.; Default: linear; hertz if a modulus is given; barrier if a distance
            is
        stiffness: Of a linear contact: force over penetration; of a barrier, the factor of p^2 ln(d/(d - p)) in its
            energy, with its distance d and p = d - gap. auto: chosen so that shapes penetrate each other by 1 % of
            their size at their initial speed, or at the speed of a fall. `torsor check` prints how long and how
            deep such an impact is.; stiffness (kg/s^2); Default: auto
        modulus: Of Hertz' law: effective modulus, 1/((1 - nu1^2)/E1 + (1 - nu2^2)/E2).; stress (kg/(m s^2));
            Default: by the coatings of both shapes
        restitution: Speed after an impact over the speed before it, from 0 to 1 (0 counts as 0.002).; Default: by
            coatings, or 1
        friction: Coefficient of sliding friction.; Default: by coatings, or 0
        static_friction: Coefficient of friction at which sliding begins.; Default: friction
        stribeck: Velocity over which friction falls from static to sliding.; velocity (m/s); Default: 0: at once
        viscous: Viscous friction in addition: tangential force over velocity.; damping (kg/s); Default: 0
        grip: Tangential stiffness in sticking.; stiffness (kg/s^2); Default: 0.8 times the stiffness
        area_stiffness: Of points of skins, instead of a stiffness: pressure over penetration. A node has its share
            of the area.; kg/(m^2 s^2)
        length_stiffness: Of points of lines, instead of a stiffness: force per length over penetration.; stress
            (kg/(m s^2))
        unresolved: What to do with an impact that is shorter than about ten steps: `cut` divides the steps, so that
            the impact takes ten or more; `keep` leaves the steps as they are.; Default: cut if restitution is below
            1, or else keep
        rolling: Rolling resistance of two bodies: moment over normal force.; length (m); Default: 0
        spinning: Resistance to spinning about the normal: moment over normal force.; length (m); Default: 0
        except_: Exceptions: lists of two or more shapes that do not touch each other.
        initial: What to do with shapes that overlap as drawn by more than 10 % of their radius: `refuse` the model;
            `accept` the overlap with the energy it stores; or `shift` the gaps that are closed as drawn, so that
            they begin at zero.; Default: refuse
        distance: Of a barrier: distance of the shapes at which it begins to act. Gaps are measured from this
            distance.; length (m)
        """

class EventsSection(Section):
    """Section `events`."""
    def event(self, name: str, *, when: Any = ..., at: Number = ..., lock: Any = ..., release: Any = ..., detach: Any = ..., switch_on: Any = ..., switch_off: Any = ..., set: Any = ..., mark: Union[str, float] = ..., stop: bool = ..., times: Union[int, str] = ...) -> Entry:
        """An action at a given time, or when a channel crosses a value. torsor locates the moment within the step, and ends a substep there.

        when: The event happens when this condition becomes true: `hinge.angle > 90 deg` when the angle rises
            through 90 degrees, `<` when it falls through 90 degrees, `=` in both cases. Both sides may be any
            expressions of channels and time. Comparisons may be joined by `and`, `or`, `not` and parentheses.
        at: Time of the event, instead of `when`; 0 is before the first step.; time (s)
        lock: Joints (all of their coordinates) or single coordinates (`hinge.angle`) that are locked at their
            present values. An impulse stops the relative motion.
        release: Locked joints or coordinates that become free again.
        detach: Joints that are removed for the rest of the run.
        switch_on: Springs, motions, loads and contacts that act from the event on. A motion continues from the
            present value of its coordinate.
        switch_off: Springs, motions, loads and contacts that do not act from the event on.
        set: New values of states and inputs, `{integral: 0}`. Values of states may be expressions of channels.
        mark: A text that the results contain with the event.
        stop: true: the run ends at the event.; Default: false
        times: Largest number of times that the event happens.; Default: any number of times; an event at a time
            happens once
        """

class ModelSections:
    parameters: Section
    signals: Section
    points: Section
    materials: MaterialsSection
    sections: SectionsSection
    meshes: MeshesSection
    shell_sections: Shell_sectionsSection
    bodies: BodiesSection
    beams: BeamsSection
    cables: CablesSection
    shells: ShellsSection
    solids: SolidsSection
    couplings: CouplingsSection
    masses: MassesSection
    joints: JointsSection
    springs: SpringsSection
    motions: MotionsSection
    loads: LoadsSection
    states: StatesSection
    shapes: ShapesSection
    contacts: ContactsSection
    events: EventsSection
