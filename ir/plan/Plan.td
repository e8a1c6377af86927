// The plan dialect: when and where. Every buffer has a place, every kernel a moment.
#ifndef WEFT_IR_PLAN
#define WEFT_IR_PLAN

include "ir/model/ModelBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let summary = "Kernel launches in order, loops not unrolled, and buffers in slots of one arena";
  let description = [{
    A program is a list of `plan.kernel`s and of `plan.entry`s that launch them. Each entry has one arena of intermediate values,
    divided into slots; a slot is as large as the largest value that is ever put in it. Values that are needed at the same time lie in
    slots of which one begins behind the end of the other; others may overlap. Which slot is behind which is part of the plan, where
    they begin follows from the sizes of a run: so the arena's size is known before it, and when the program is built wherever sizes
    are bounded.
  }];
  let cppNamespace = "::weft::plan";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::weft::model::ModelDialect"];
}

def Plan_Buffer : TypeDef<Plan_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "the memory of a value";
  let description = [{
    An address. The layouts of the kernels that use it say how the value lies there. Values that use the same memory one after
    the other have a buffer each, which stands for that one value. It is read through its own buffer, before another value is
    written over it; the promise `intact` verifies that.
  }];
}

class Plan_Op<string mnemonic, list<Trait> traits = []> : Op<Plan_Dialect, mnemonic, traits>;
// What the world has: its storage is not the plan's to choose.
def Plan_OfTheCaller : NativeOpTrait<"OfTheCaller"> { let cppNamespace = "::weft::plan"; }
// The symbols that it names are verified when the whole module is there.
class Plan_User<string mnemonic, list<Trait> traits = []>
    : Plan_Op<mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>] # traits>;

def Plan_KernelOp : Plan_Op<"kernel", [Symbol, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "one kernel";
  let description = [{
    Holds one `kernel.fused`, whose operands are the region's arguments. A launch brings a buffer for each of them, then one for
    each result.

    ```mlir
    plan.kernel @up.bias {
    ^bb0(%x: !model.tensor<f32, seq, ff>, %bias: !model.tensor<f32, ff>):
      %y = kernel.fused rows "up.bias" (%a = %x : !model.tensor<f32, seq, ff>, %b = %bias : !model.tensor<f32, ff>) -> (!model.tensor<f32, seq, ff>) {
        %sum = model.add %a, %b : !model.tensor<f32, seq, ff>, !model.tensor<f32, ff>
        kernel.yield %sum : !model.tensor<f32, seq, ff>
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Plan_EntryOp : Plan_Op<"entry", [Symbol, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "one entry: what it launches, in order";
  let description = [{
    `inputs` and `outputs` describe the tensors of the world, by type and name. `slots` lists, for every slot of the arena, the
    sizes in bytes of the values that share it; `packed` the sizes in bytes of what `prepare` keeps. The `prepare` region runs
    once after the parameters changed, the `body` at every call. An update has no `prepare`, and in `packed` what it writes for other entries.

    `behind` lists, for every slot, slots before it in the list, behind the ends of which it begins; one that lists none begins with
    the arena. Where there is no `behind`, each slot is behind the one before it.

    ```mlir
    plan.kernel @exp {
    ^bb0(%x: !model.tensor<f32, seq>):
      %y = kernel.fused rows "exp" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
        %e = model.exp %a : !model.tensor<f32, seq>
        kernel.yield %e : !model.tensor<f32, seq>
      }
    }
    plan.entry @twice attributes {
        inputs = [ { type = !model.tensor<f32, seq>, model.name = "x" } ],
        outputs = [ { type = !model.tensor<f32, seq>, model.name = "y" } ],
        slots = [[#model.size<seq * 4>]], packed = []} prepare {
    } body {
      %x = plan.input 0
      %between = plan.slot 0 : <seq * 4>
      %y = plan.output 0
      plan.launch @exp(%x, %between)
      plan.launch @exp as "again"(%between, %y)
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ArrayAttr:$inputs, ArrayAttr:$outputs, ArrayAttr:$slots, ArrayAttr:$packed,
    OptionalAttr<ArrayAttr>:$behind);
  let regions = (region SizedRegion<1>:$prepare, SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword `prepare` $prepare `body` $body";
  let hasVerifier = 1;
}

class Plan_Place<string mnemonic, list<Trait> traits = []> : Plan_Op<mnemonic, traits> {
  let arguments = (ins I64Attr:$number);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$number attr-dict";
  let hasVerifier = 1;
}
def Plan_InputOp : Plan_Place<"input", [Plan_OfTheCaller]> {
  let summary = "the buffer of an argument of the entry";
  let description = "Its number is the place in `inputs`.";
}
def Plan_OutputOp : Plan_Place<"output", [Plan_OfTheCaller]> {
  let summary = "the buffer of a result of the entry";
  let description = "Its number is the place in `outputs`.";
}
def Plan_SlotOp : Plan_Op<"slot", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer in a slot of the arena";
  let description = [{
    The number is the slot's place in `slots`, `bytes` what lies there. Every op is another buffer; those of one slot are
    needed one after the other. What lay there before the call is not specified.
  }];
  let arguments = (ins I64Attr:$number, Model_SizeAttr:$bytes);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$number `:` $bytes attr-dict";
  let hasVerifier = 1;
}
def Plan_PackedOp : Plan_Place<"packed", [Pure]> {
  let summary = "a buffer that `prepare` fills";
  let description = [{
    Its number is the place in `packed`. The body only reads it, but for an update's, which writes what `prepare` of other entries would make of the
    parameters that it has changed. Where nobody has such a buffer, nothing is written.
  }];
}
def Plan_ParameterOp : Plan_User<"parameter", [Plan_OfTheCaller]> {
  let summary = "the buffer of a parameter";
  let description = [{
    The whole parameter, stacked along its loops; `plan.offset` finds the slice of a pass.
  }];
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$name attr-dict";
}
def Plan_ReuseOp : Plan_Op<"reuse"> {
  let summary = "the same memory, for another value";
  let description = [{
    A value that a loop carries stays in the same memory, but is another value in each iteration: writing the next one
    overwrites it.

    ```mlir
    model.dim @seq
    model.dim @layer = <2>
    plan.kernel @exp {
    ^bb0(%x: !model.tensor<f32, seq>):
      %y = kernel.fused rows "exp" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
        %e = model.exp %a : !model.tensor<f32, seq>
        kernel.yield %e : !model.tensor<f32, seq>
      }
    }
    plan.entry @exps attributes {inputs = [ {} ], outputs = [ {} ], slots = [[#model.size<seq * 4>]], packed = []} prepare {
    } body {
      %first = plan.slot 0 : <seq * 4>
      %x = plan.input 0
      plan.launch @exp(%x, %first)
      plan.loop "layer" {
      ^bb0(%pass: index):
        %before = plan.reuse %first
        %after = plan.reuse %first
        plan.launch @exp(%before, %after)
        plan.leave %after
      }
      %last = plan.reuse %first
      %out = plan.output 0
      plan.launch @exp(%last, %out)
      plan.leave %out
    }
    ```
  }];
  let arguments = (ins Plan_Buffer:$buffer);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$buffer attr-dict";
}
def Plan_LeaveOp : Plan_Op<"leave"> {
  let summary = "the values that are live at the end of an iteration or of the entry";
  let description = "The buffers that the next iteration, the code behind the loop, or the caller reads. It emits no code; liveness is verified by it.";
  let arguments = (ins Variadic<Plan_Buffer>:$buffers);
  let assemblyFormat = "$buffers attr-dict";
}
def Plan_RandomKeyOp : Plan_Op<"random_key", [Pure]> {
  let summary = "seed and counter of a kernel's random numbers";
  let description = [{
    Three 64-bit words: seed and step of the call, then the index of the first element, which is the sum over the loops
    around, modulo 2^64, of the number of the pass times the stride of the loop's dimension (see `model.random`).
  }];
  let arguments = (ins Variadic<Index>:$passes, DenseI64ArrayAttr:$strides);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$passes `by` $strides attr-dict";
}
def Plan_OffsetOp : Plan_Op<"offset", [Pure]> {
  let summary = "an address plus an offset";
  let description = [{
    The offset is `bytes`, times the number of the current iteration if there is a `pass`.

    ```mlir
    model.parameter @layer.up.weight : !model.tensor<f32, layer, model, ff> loops 1
    %weights = plan.parameter @layer.up.weight
    plan.loop "layer" {
    ^bb0(%pass: index):
      %weight = plan.offset %weights by <65536> times %pass
    }
    ```
  }];
  let arguments = (ins Plan_Buffer:$buffer, Model_SizeAttr:$bytes, Optional<Index>:$pass);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$buffer `by` $bytes (`times` $pass^)? attr-dict";
}
def Plan_LaunchOp : Plan_User<"launch"> {
  let summary = "runs a kernel, all of its tasks";
  let description = [{
    The buffers are those of the kernel's operands, then those of its results, then a `plan.random_key` if the kernel draws. A launch sees everything that the launches
    before it wrote. Equal kernels are one, called after the first: `as "norm2"` behind its name says what another launch of it computes.

    Launches that end in `together` and the same number are one launch of a device: they follow each other, and none of them writes
    what another one reads or writes.

    A launch `in_step` goes behind the nearest one before it that is not, task by task: whoever has done a task of that one packs what the task has
    written, while it is in a cache. So each of its tasks, of which there are as many in all passes of the loop around it, reads what the task of its
    number wrote of one buffer and nothing else that was written. Where nobody keeps what it packs, it is left out.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, OptionalAttr<StrAttr>:$label, Variadic<Plan_Buffer>:$buffers,
    OptionalAttr<I64Attr>:$together, UnitAttr:$in_step);
  let assemblyFormat = "$kernel (`as` $label^)? `(` $buffers `)` (`together` $together^)? (`in_step` $in_step^)? attr-dict";
}
def Plan_CopyOp : Plan_Op<"copy"> {
  let summary = "copies bytes between buffers that do not overlap";
  let description = [{
    `bytes` may depend on run-time sizes.

    ```mlir
    plan.copy %from to %to, <seq * 256>
    ```
  }];
  let arguments = (ins Plan_Buffer:$from, Plan_Buffer:$to, Model_SizeAttr:$bytes);
  let assemblyFormat = "$from `to` $to `,` $bytes attr-dict";
}
def Plan_LoopOp : Plan_Op<"loop", [NoTerminator, SingleBlock]> {
  let summary = "a loop over the positions of a dimension (layers)";
  let description = [{
    The region's argument is the number of the iteration, which counts down from the last one if `reverse`.
  }];
  let arguments = (ins Model_DimAttr:$dim, UnitAttr:$reverse);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<Dim>($dim) (`reverse` $reverse^)? $body attr-dict";
  let hasRegionVerifier = 1;
}

#endif // WEFT_IR_PLAN
