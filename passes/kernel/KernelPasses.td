// Passes of the `kernel` stage.
#ifndef WEFT_PASSES_KERNEL
#define WEFT_PASSES_KERNEL
include "mlir/Pass/PassBase.td"

def RoundCaches : Pass<"weft-round-caches", "::mlir::ModuleOp"> {
  let summary = "Keep keys and values of a decoding as whole numbers of 8 bits, of which 32 share a scale";
  let description = [{
    Does nothing unless the module says so (`model.caches`, `--caches-as int8`). Then a cache that attention alone reads, as its keys or its values, says that
    it is stored as `i8` (`model.storage`), and rows are written into it by kernels of the family `pack`, which round them: 32 numbers of a row that lie side by side share
    a scale, found as that of weights. Attention widens them as it reads them, and computes in f32.

    A cache stays as the precision says, in all entries, where something else reads it in any of them, and where keys and values are not whole groups of 32 numbers.
    A remark says why.
  }];
  let options = [
    Option<"as", "as", "std::string", "", "`float32`, `bf16` or `int8` (empty: what the module says)">
  ];
  let dependentDialects = ["kernel::KernelDialect"];
}
def MaterializeCopies : Pass<"weft-materialize-copies", "::mlir::ModuleOp"> {
  let summary = "Copy where a view is not enough: merged dimensions that are not contiguous, and views that leave a block";
  let description = [{
    Most changes of shape are views: a kernel reads its operand in place, with other strides. A merge of dimensions that are not
    contiguous in memory has no strides, and a view or an argument that is returned, yielded or carried by a loop has to get
    memory of its own: both become copies, `rows` kernels that compute nothing. Afterwards every value that leaves a block is the
    result of a kernel in it.
  }];
  let dependentDialects = ["kernel::KernelDialect"];
}
def PackOperands : Pass<"weft-pack-operands", "::mlir::ModuleOp"> {
  let summary = "Pack the right operand of every matrix product into panels, as its micro-kernel reads it";
  let description = [{
    The right operand is the one that comes from a parameter, else the second one. Parameters are packed once and not in
    every run: the plan moves their packing into the entry's `prepare` region. What a loop only reads is packed before the
    loop. A training step packs before each product, or in it (`weft-pack-within`), but for what it keeps (`weft-keep-packed`).
  }];
  let dependentDialects = ["kernel::KernelDialect"];
}
def ChooseLayouts : Pass<"weft-choose-layouts", "::mlir::ModuleOp"> {
  let summary = "Choose the memory layout, strides or panels, of every operand and result of a kernel";
  let dependentDialects = ["kernel::KernelDialect"];
}
def ChooseStorage : Pass<"weft-choose-storage", "::mlir::ModuleOp"> {
  let summary = "Choose how the floats of each buffer are stored: as f32, or as bf16";
  let description = [{
    With the precision `bf16` a value is stored as bf16 where kernels alone write and read it. Stored as f32 is what is seen from
    outside (arguments, results, parameters, states), all that an update computes, and of the rest what other numbers hang on:

    - what was added up over positions that it no longer has (sums, means, maxima, a logsumexp, single numbers),
    - what a kernel adds up where it is stored (scatters, running sums, gradients of attention that are summed over a batch),
    - tables, which hold positions and angles, and zeros that the passes of a loop add to.

    Values that lie in one memory (what a loop carries, a slice of a stack) are stored alike. So are what an attention scores by (queries, keys, a bias) and what its gradient
    scores by again, which reads the logsumexp of these scores. Panels of right sides are bf16.

    Caches of a decoding are stored as the module says (`model.caches`), whatever the precision; where it does not say, as bf16 with that precision. Those that
    `weft-round-caches` has rounded are `i8`.
  }];
  let options = [
    Option<"precision", "precision", "std::string", "", "`float32`, `tf32` or `bf16` (empty: what the module says, else `float32`)">
  ];
  let dependentDialects = ["kernel::KernelDialect"];
}
def RoundWeights : Pass<"weft-round-weights", "::mlir::ModuleOp"> {
  let summary = "Store the panels of parameters as whole numbers of 8 or 4 bits with scales, for inference";
  let description = [{
    Does nothing unless the module says so (`model.weights`, `--weights-as`). Then a parameter that goes straight into a product is packed as `i8` or
    `i4`: 32 of its weights, along what is summed, share a scale in each column. Kernels widen them as they read them, and compute in f32.

    Only in entries that change no parameters: weights of a gradient stay as they are. So do weights that kernels compute of parameters, a remark says of
    which product; those of which it is not known how many are added up; and, unless asked for, the head's: of products that no further product or
    attention hangs on, in any entry. What is gathered from a parameter is read from the parameter itself.
  }];
  let options = [
    Option<"as", "as", "std::string", "", "as `--weights-as` takes it, `int8,head=int8` (empty: what the module says)">
  ];
  let dependentDialects = ["kernel::KernelDialect"];
}
def NarrowOperands : Pass<"weft-narrow-operands", "::mlir::ModuleOp"> {
  let summary = "Copy what matrix products and attention multiply from f32 to bf16, as matrix instructions read it";
  let description = [{
    For matrix instructions, and such as add up products of two terms; does nothing where the precision is `float32`. With `tf32` products say that they read their sides
    so (`tf32`), and attention stays as it is. With `bf16` both sides of each product are stored as bf16: of a
    parameter, or of what comes in, a kernel of the family `pack` makes a copy. Those of parameters are made once and not in every run, as panels are. The same of
    an attention's queries, keys and values, and of the output and its gradient where gradients are found, where depth and values are at most 128: of an attention and
    of its gradient, or of neither, for both have to compute the same scores. Products of an update, and of tables, stay as they are.

    Weights of an attention and gradients of its scores are the other side of its products, and lie in no memory. Where the sides that do are bf16,
    `narrow_weights` of `model.attention` and `model.attention_grad` says that products read weights so too.

    On a CPU right sides are panels, which are bf16 already, or whole numbers, which are as exact; what is in rows in front of one, and is stored as f32, is copied. Who widens reads the same numbers as
    who multiplies bf16. An attention there gets no copies; where all that its products read is stored as bf16, weights are read so too.
  }];
  let options = [
    Option<"panels", "panels", "bool", "false", "packing makes panels: copies are kernels of rows, and made in every run">
  ];
  let dependentDialects = ["kernel::KernelDialect"];
}
def PadRows : Pass<"weft-pad-rows", "::mlir::ModuleOp"> {
  let summary = "Have rows of an odd length lie at multiples of 16 bytes, where products read them or write them";
  let description = [{
    For targets that copy tiles in pieces of 16 bytes. A bf16 tensor of rows of 50,257 elements is no tensor that a GPU's copies take, and a row's threads
    read it piece by piece only from another place in each row. So the results of kernels whose last dimension has a known size that is no multiple of eight
    get a pitch that is one (`pitches` of `kernel.fused`): where kernels of rows and of products alone write and read them, all in one block, a product is one of
    these, and what is added is at most an eighth. What lies between rows is never read as a value. Values that may lie over one another all get the pitch, or none does.
  }];
  let dependentDialects = ["kernel::KernelDialect"];
}
def PackWithin : Pass<"weft-pack-within", "::mlir::ModuleOp"> {
  let summary = "Have the tasks of a product pack the parameter that they read, where it is packed for that product alone";
  let description = [{
    A training step packs each weight before each product, for the weight is another one in every step: the weight is read, its panels are written and read
    again, beside a few hundred rows that takes a tenth of the products' time. A task of such a product packs the block of panels that it is about to read,
    which then stays in a cache (`packs` of `kernel.fused`), and has more rows than others, which share that work.

    What is no parameter is packed ahead: it was just written, and the rows of gradients of weights are many. So are panels of bf16: who packs them
    rounds, and tasks would do so again for each block of rows.
  }];
  let dependentDialects = ["kernel::KernelDialect"];
}
def KeepPacked : Pass<"weft-keep-packed", "::mlir::ModuleOp"> {
  let summary = "Have a gradient keep its panels of parameters from step to step";
  let description = [{
    Panels of bf16 of parameters of known sizes become `kept`: the plan has them made by `prepare`, as those of an entry that changes no parameters. What is frozen stays as it is then,
    and an update writes the others again where it writes the parameter (`weft-pack-in-step`). They take two bytes for each number and direction in which products read it, for as long as the
    training lasts. So nothing is kept where memory is asked for (`model.recompute`).
  }];
  let dependentDialects = ["kernel::KernelDialect"];
}
def ChooseSchedules : Pass<"weft-choose-schedules", "::mlir::ModuleOp"> {
  let summary = "Choose the schedule of every kernel (tasks, tiles, unrolling), for each instruction set, or for each image of a GPU's program";
  let description = [{
    By a cost model, from the sizes that are known and from a typical machine with that instruction set, or the GPU that runs that image. A schedule that the
    module has already is kept if it is legal. Of a CPU's kernels, what `weft tune` has found goes before the cost model, where it is of the machine that is
    named, and where the kernel may have it; what cannot be used is a warning at its line. Such kernels say so (`cpu.tuned`).
  }];
  let options = [
    Option<"machines", "machines", "std::string", "\"cpu\"", "the dialect of the schedules: `cpu`, or `cuda`">,
    Option<"cores", "cores", "int64_t", "0", "how many cores there should be work for (0: what the module says, else the machine)">,
    Option<"tuned", "tuned", "std::string", "", "a file that `weft tune` has written, for `cpu`">,
    Option<"tunedOn", "tuned-on", "std::string", "", "the machine whose tunings are used, as they name it">
  ];
  let dependentDialects = ["cpu::CpuDialect", "cuda::CudaDialect"];
}
def JoinLaunches : Pass<"weft-join-launches", "::mlir::ModuleOp"> {
  let summary = "Have kernels of an update that need nothing of each other launched as one";
  let description = [{
    An update has the same few kernels for every parameter: sums for the clip's norm, then the step of the optimizer. Where all schedules of a
    kernel say that its blocks ask for nothing but their number (`threadsOfShared`), those of equally many threads get a number `together`: their launch has
    the blocks of all of them. For that the kernels of an update are put in an order by what they need, unless that could keep more alive than
    an eighth of what the update writes, or a megabyte. In other entries kernels follow from one another, and stay as they are.
  }];
  let dependentDialects = ["kernel::KernelDialect"];
}
#endif // WEFT_PASSES_KERNEL
