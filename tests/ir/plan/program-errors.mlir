// What plans refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

// expected-error@+1 {{holds something else than one kernel.fused}}
plan.kernel @k {
  %0 = model.constant 1 : i64
}

// -----

// expected-error@+1 {{has arguments that differ from the operands of its kernel.fused}}
plan.kernel @k {
^bb0(%x: !model.tensor<f32>, %y: !model.tensor<f32>):
  kernel.fused rows "k" (%a = %y : !model.tensor<f32>, %b = %x : !model.tensor<f32>) -> () {
    kernel.yield
  }
}

// -----

// expected-error@+1 {{stands outside of an entry}}
%0 = plan.slot 0 : <4>

// -----

plan.entry @e attributes {inputs = [], outputs = [], packed = [], slots = [[]]} prepare {
} body {
  // expected-error@+1 {{has number 1, the entry has 1}}
  %0 = plan.slot 1 : <4>
}

// -----

plan.entry @e attributes {inputs = [], outputs = [], packed = [], slots = []} prepare {
} body {
  // expected-error@+1 {{has number 0, the entry has 0}}
  %0 = plan.input 0
}

// -----

plan.entry @e attributes {inputs = [], outputs = [{}], packed = [], slots = []} prepare {
} body {
  // expected-error@+1 {{has number -1, the entry has 1}}
  %0 = plan.output -1
}

// -----

plan.entry @e attributes {inputs = [], outputs = [], packed = [#model.size<4>], slots = []} prepare {
  // expected-error@+1 {{has number 3, the entry has 1}}
  %0 = plan.packed 3
} body {
}

// -----

plan.entry @e attributes {inputs = [], outputs = [], packed = [], slots = []} prepare {
} body {
  // expected-error@+1 {{'weight' is not a parameter}}
  %0 = plan.parameter @weight
}

// -----

plan.entry @e attributes {inputs = [], outputs = [], packed = [], slots = []} prepare {
} body {
  // expected-error@+1 {{'k' is not a kernel}}
  plan.launch @k()
}

// -----

plan.kernel @k {
^bb0(%x: !model.tensor<f32>):
  %0 = kernel.fused rows "k" (%a = %x : !model.tensor<f32>) -> (!model.tensor<f32>) {
    kernel.yield %a : !model.tensor<f32>
  }
}
plan.entry @e attributes {inputs = [{}], outputs = [], packed = [], slots = []} prepare {
} body {
  %0 = plan.input 0
  // expected-error@+1 {{brings 1 buffers, the kernel takes 2}}
  plan.launch @k(%0)
}

// -----

plan.entry @e attributes {inputs = [], outputs = [], packed = [], slots = []} prepare {
} body {
  // expected-error@+1 {{has a region that does not take one index, the number of the pass}}
  plan.loop "layer" {
  ^bb0(%pass: i64):
  }
}

// -----

// expected-error@+1 {{says of 1 slots what they are behind, and has 2}}
plan.entry @e attributes {inputs = [], outputs = [], packed = [], slots = [[], []], behind = [array<i64>]} prepare {
} body {
}

// -----

// expected-error@+1 {{says what slot 1 is behind by something else than a list of slots}}
plan.entry @e attributes {inputs = [], outputs = [], packed = [], slots = [[], []], behind = [array<i64>, 0]} prepare {
} body {
}

// -----

// expected-error@+1 {{has slot 0 behind slot 0, which is not one before it}}
plan.entry @e attributes {inputs = [], outputs = [], packed = [], slots = [[], []], behind = [array<i64: 0>, array<i64>]} prepare {
} body {
}
