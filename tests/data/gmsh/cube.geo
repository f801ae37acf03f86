SetFactory("OpenCASCADE");
Box(1) = {0,0,0, 1,1,1};
Mesh.CharacteristicLengthMin = 0.7; Mesh.CharacteristicLengthMax = 0.9;
Physical Volume("body") = {1};
Physical Surface("skin") = {1,2,3,4,5,6};
