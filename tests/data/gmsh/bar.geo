// 4 x 1 x 1, tetrahedra of order 2; a support at one end, a coupling at the other
SetFactory("OpenCASCADE");
Box(1) = {0,0,0, 4,1,1};
Mesh.CharacteristicLengthMin = 0.7; Mesh.CharacteristicLengthMax = 0.8;
Mesh.ElementOrder = 2;
Physical Volume("bar") = {1};
Physical Surface("clamp") = {1};
Physical Surface("end") = {2};
