// A promise is not asked for where the pass that makes it true was left out; and a stage is what it is called.
// RUN: weft-opt %s --weft-verify-stage="stage=fused without=weft-form-kernels"
// RUN: not weft-opt %s --weft-verify-stage=stage=fused 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not weft-opt %s --weft-verify-stage=stage=fusion 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// A stage ends with the check: taken for what `kernel` begins with, this is not.
// RUN: not weft-opt %s --weft-stage-kernel 2>&1 | FileCheck %s --check-prefix=STAGE

// BROKEN: error: internal error behind stage `fused`: `model.neg` stands outside of every kernel
// BROKEN: note: the stage promises `one-kernel`
// UNKNOWN: there is no stage `fusion`
// STAGE: internal error behind stage `kernel`
func.func @f(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  %0 = model.neg %x : !model.tensor<f32, seq>
  return %0 : !model.tensor<f32, seq>
}
