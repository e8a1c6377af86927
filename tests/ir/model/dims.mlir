// A dimension is a word in types and a string in ops; as an attribute it is neither, so nothing else is taken for one.
// RUN: weft-opt %s | FileCheck %s
// RUN: weft-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: weft-opt %s -mlir-print-op-generic | weft-opt | FileCheck %s

model.dim @a
model.dim @"b c"
// GENERIC: "model.dim"() <{parts = #model.dims<a, "b c">, size = #model.size<a + 2>, sym_name = "all"}>
// CHECK: model.dim @all = <a + 2> parts ["a", "b c"]
model.dim @all = <a + 2> parts ["a", "b c"]
// CHECK: model.parameter @w : !model.tensor<f32, a> origin <"Linear", {{\[\["in", \["a", "b c"\]\], \["out", \[\]\]\]}}>
model.parameter @w : !model.tensor<f32, a> origin <"Linear", [["in", ["a", "b c"]], ["out", []]]>

// The path of random numbers is a name too, and need not be declared.
func.func @f(%x: !model.tensor<f32, a, "b c">) -> !model.tensor<f32> {
  // GENERIC: "model.random"() <{path = "layer.drop"}>
  %0 = model.random "layer.drop" : !model.tensor<f32, a, "b c">
  %1 = model.add %x, %0 : !model.tensor<f32, a, "b c">, !model.tensor<f32, a, "b c">
  // GENERIC: "model.cumsum"(%{{.*}}) <{dim = #model.dim<"b c">}>
  // CHECK: model.cumsum "b c" %{{.*}} : <f32, a, "b c">
  %2 = model.cumsum "b c" %1 : !model.tensor<f32, a, "b c">
  // GENERIC: "model.sum"(%{{.*}}) <{over = #model.dims<"b c", a>}>
  // CHECK: model.sum ["b c", "a"] %{{.*}} : <f32, a, "b c">
  %3 = model.sum ["b c", "a"] %2 : !model.tensor<f32, a, "b c">
  return %3 : !model.tensor<f32>
}
