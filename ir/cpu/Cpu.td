// The cpu dialect: how kernels are cut for the vector units and caches of a CPU.
#ifndef WEFT_IR_CPU
#define WEFT_IR_CPU

include "ir/kernel/Kernel.td"

def Cpu_Dialect : Dialect {
  let name = "cpu";
  let summary = "Schedules of kernels on a CPU";
  let description = [{
    How a kernel is divided into tasks, cache blocks and register tiles: one attribute for each family of kernels, and one value for
    each instruction set in the `schedule` of a `kernel.fused`. The kernel stage writes the choice of a cost model; a schedule that
    was edited into a dump is used as it stands, if it is legal for the instruction set. A schedule never changes what a kernel
    computes but for the order of long sums, and that is the same on any number of threads. `cpu.cores` of a module says how many cores
    there should be work for, if not as many as machines with the instruction set are taken to have.
    `cpu.tuned` of a kernel lists the instruction sets whose schedule was found by `weft tune`, and is not the default.
    Instruction sets with the registers of another take its schedules: `avx512-bf16` and `amx` those of `avx512`, but for kernels that multiply by the tiles of
    AMX. Those have the schedule `amx`, or the default, which is not written.
  }];
  let cppNamespace = "::weft::cpu";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1; // cpu.cores, cpu.tuned
}

class Cpu_Schedule<string name, string text> : AttrDef<Cpu_Dialect, name, [Kernel_Schedule]> {
  let mnemonic = text;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Cpu_Tile : AttrOrTypeParameter<"::weft::cpu::Tile", "rows and columns of a register tile"> {
  let cppAccessorType = "::weft::cpu::Tile";
}

def Cpu_Contraction : Cpu_Schedule<"Contraction", "contraction"> {
  let summary = "schedule of a matrix product";
  let description = [{
    A task computes at most `rows` x `columns` of the result. It goes through the contracted dimension in blocks of at most `k`, so
    that `k` x `columns` floats of the right side stay in the L2 cache while all rows are multiplied with them. Each block is
    computed in register tiles. Each number of the result is summed in the order of its terms, whatever rows there are beside it.

    A task of few rows multiplies little with each load, and waits for the right side to come from memory: it reads more panels at a
    time, which are as many streams, by the tile `few`. Where that is no wider than `tile`, there is no other one.

    With `non_temporal`, results go to memory past the caches, where their rows are whole cache lines and they are float32: what
    nobody reads soon need not be read before it is written, nor drive out what is read.
  }];
  let parameters = (ins
    Cpu_Tile:$tile,          // of the micro-kernel
    "int64_t":$accumulators, // vector registers for sums, where weights that share scales have several for each number of the result
    "int64_t":$rows, "int64_t":$columns, "int64_t":$k,
    "int64_t":$work,         // products that are worth another task
    "int64_t":$tasks,        // beyond this many, only full blocks make more tasks
    "int64_t":$long_sum,     // from more products an element on, a block does not stay in the second cache from task to task,
    "int64_t":$long_tasks,   // and this takes the place of `tasks`: few large tasks read less
    DefaultValuedParameter<"bool", "false">:$rows_first, // for more tasks, blocks get fewer rows before they get fewer columns
    DefaultValuedParameter<"bool", "false">:$non_temporal, // results go past the caches
    DefaultValuedParameter<"::weft::cpu::Tile", "::weft::cpu::Tile{1, 1}">:$few); // of the micro-kernel where a task has no more rows than it
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::contraction; }
    /// Whether tasks of few rows have a tile of their own.
    bool hasFew() const { return getFew().panels > getTile().panels; }
    /// The tile of a task of so many rows.
    ::weft::cpu::Tile tileFor(int64_t rows) const { return hasFew() && rows <= getFew().rows ? getFew() : getTile(); }
    /// This schedule with another tile for few rows.
    ContractionAttr withFew(::weft::cpu::Tile few) const;
  }];
}

def Cpu_Pack : Cpu_Schedule<"Pack", "pack"> {
  let summary = "schedule of packing an operand into panels";
  let description = [{
    A task packs at most `panels` panels of `rows` rows. With `non_temporal`, pairs of bfloat16 go to memory past the caches: nobody reads them soon.
  }];
  let parameters = (ins "int64_t":$panels, "int64_t":$rows, DefaultValuedParameter<"bool", "false">:$non_temporal);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::pack; }
  }];
}

def Cpu_Attention : Cpu_Schedule<"Attention", "attention"> {
  let summary = "schedule of an attention";
  let description = [{
    A task takes at most `task_rows` queries of one position of the batch, fewer where there would be less than `tasks` tasks. It
    goes through the keys in blocks of `keys`, and through its queries in tiles of `rows`; the scores of a tile fit the L1 cache.
    Tasks of at most `few_rows` queries read keys and values in place; others pack each block of them first.

    Where queries alone make fewer than `split_tasks` tasks, keys are cut too, into equal ranges of at least `split_keys`, up to that
    many tasks. A second launch joins what the ranges of a query give, in their order. 0: keys are never cut.
  }];
  let parameters = (ins
    Cpu_Tile:$tile,       // of scores
    Cpu_Tile:$value_tile, // of sums of values
    "int64_t":$unroll, "int64_t":$accumulators, "int64_t":$task_rows, "int64_t":$rows, "int64_t":$keys, "int64_t":$few_rows,
    "int64_t":$tasks, DefaultValuedParameter<"int64_t", "1">:$split_tasks, DefaultValuedParameter<"int64_t", "0">:$split_keys);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention; }
  }];
}

def Cpu_AttentionGrad : Cpu_Schedule<"AttentionGrad", "attention_grad"> {
  let summary = "schedule of the gradient of an attention";
  let description = [{
    A task computes one position of the batch, in tiles of `rows` queries and `keys` keys, whose attention weights and their
    gradients fit the L1 cache.

    Where that makes fewer than `split_tasks` tasks, the blocks of `keys` keys of a position are dealt out to several, up to that many
    tasks in all, each of which gets at least `split_keys` keys: it has the gradients of their keys and values for its own, and a second launch adds up what each gives to the
    gradients of the queries. 0: never.
  }];
  let parameters = (ins
    Cpu_Tile:$tile,       // of scores
    Cpu_Tile:$depth_tile, // of gradients of queries and keys
    Cpu_Tile:$value_tile, // of gradients of values
    "int64_t":$unroll, "int64_t":$accumulators, "int64_t":$rows, "int64_t":$keys,
    DefaultValuedParameter<"int64_t", "1">:$split_tasks, DefaultValuedParameter<"int64_t", "0">:$split_keys);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention_grad; }
  }];
}

def Cpu_Rows : Cpu_Schedule<"Rows", "rows"> {
  let summary = "schedule of elementwise ops and reductions along rows";
  let description = [{
    Tasks are whole rows, or blocks of columns, of about `elements` elements; the innermost loop is unrolled to `unroll` vectors.
  }];
  let parameters = (ins "int64_t":$unroll, "int64_t":$elements);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const {
      return family == ::weft::kernel::Family::rows || family == ::weft::kernel::Family::table;
    }
  }];
}

def Cpu_Scatter : Cpu_Schedule<"Scatter", "scatter"> {
  let summary = "schedule of a scatter";
  let description = [{
    A task owns a range of the dimension that is scattered to, at least `elements` elements of the result, and adds those rows
    whose index is in it. Every task reads all indices, so there are at most `tasks` of them.
  }];
  let parameters = (ins "int64_t":$elements, "int64_t":$tasks);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::scatter; }
  }];
}

#endif // WEFT_IR_CPU
