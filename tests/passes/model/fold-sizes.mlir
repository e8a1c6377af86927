// RUN: weft-opt %s --weft-fold-sizes --canonicalize | FileCheck %s

model.dim @seq
model.dim @key = #model.size<seq>
model.dim @model = #model.size<8>

// CHECK-LABEL: @sizes
// CHECK-DAG: model.extent <seq>
// CHECK-DAG: model.constant 8 : i64
// CHECK-NOT: <key>
func.func @sizes() -> (!model.tensor<i32>, !model.tensor<i32>) {
  %0 = model.extent <key>
  %1 = model.extent <model>
  return %0, %1 : !model.tensor<i32>, !model.tensor<i32>
}
