Point(1) = {0,0,0}; Point(2) = {3,0,0}; Point(3) = {3,2,1}; Point(4) = {0,2,1};
Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {3,4}; Line(4) = {4,1};
Curve Loop(1) = {1,2,3,4}; Plane Surface(1) = {1};
Transfinite Curve{1,3} = 4; Transfinite Curve{2,4} = 3;
Transfinite Surface{1}; Recombine Surface{1};
Physical Surface("shell") = {1};
Physical Curve("left") = {4};
Physical Curve("right") = {2};
Physical Point("tip") = {3};
