// SPDX-License-Identifier: Apache-2.0
// Arrows on the stage: forces with one head, moments with two.
import * as THREE from 'three';

const UP = new THREE.Vector3(0, 1, 0);

/** Many arrows of one look; begin(), put() each, end(). */
export class ArrowSet {
  constructor(room, colour, heads = 1) {
    this.object = new THREE.Group();
    this.room = room;
    this.heads = heads;
    const make = (geometry, count) => {
      const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial({ color: colour, transparent: true, depthTest: false }), Math.max(count, 1));
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      mesh.count = 0;
      this.object.add(mesh);
      return mesh;
    };
    this.shaft = make(new THREE.CylinderGeometry(0.5, 0.5, 1, 8).translate(0, 0.5, 0), room);
    this.head = make(new THREE.ConeGeometry(0.5, 1, 12).translate(0, -0.5, 0), heads * room);
  }

  begin() { this.shaft.count = this.head.count = 0; }

  /** From a point, along a unit vector. */
  put(from, way, length, thick) {
    if (this.shaft.count >= this.room) return;
    const turn = new THREE.Quaternion().setFromUnitVectors(UP, way), head = Math.min(5 * thick, (0.6 * length) / this.heads);
    const at = (s) => from.clone().addScaledVector(way, s);
    this.shaft.setMatrixAt(this.shaft.count++, new THREE.Matrix4().compose(from, turn, new THREE.Vector3(thick, length - 0.9 * head, thick)));
    for (let k = 0; k < this.heads; k++)
      this.head.setMatrixAt(this.head.count++, new THREE.Matrix4().compose(at(length - 0.8 * k * head), turn, new THREE.Vector3(2.6 * thick, head, 2.6 * thick)));
  }

  end() {
    for (const mesh of [this.shaft, this.head]) mesh.instanceMatrix.needsUpdate = true;
  }
}
