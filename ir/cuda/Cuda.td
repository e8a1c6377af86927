// The cuda dialect: how kernels are cut for the blocks and threads of an NVIDIA GPU.
#ifndef WEFT_IR_CUDA
#define WEFT_IR_CUDA

include "ir/kernel/Kernel.td"

def Cuda_Dialect : Dialect {
  let name = "cuda";
  let summary = "Schedules of kernels on an NVIDIA GPU";
  let description = [{
    How a kernel is divided into blocks and threads: one attribute for each family of kernels, and one value for each image (`sm_80`,
    `sm_90a`) in the `schedule` of a `kernel.fused`. What is said of schedules of the `cpu` dialect holds here too: a cost model chooses, a
    schedule that was edited into a dump is used as it stands, and none changes what a kernel computes but for the order of long sums.
  }];
  let cppNamespace = "::weft::cuda";
  let useDefaultAttributePrinterParser = 1;
}

def Cuda_DeviceSchedule : AttrInterface<"DeviceSchedule"> {
  let description = "The schedule of a kernel of a GPU, as far as it says what a launch takes of the device.";
  let cppNamespace = "::weft::cuda";
  let methods = [InterfaceMethod<"What a launch is expected to take; a diagnostic on a kernel that is not of its family.",
    "::mlir::FailureOr<::weft::cuda::Estimate>", "estimate", (ins "::weft::cuda::EstimateCase":$kernel)>];
}

class Cuda_Schedule<string name, string text>
    : AttrDef<Cuda_Dialect, name, [Kernel_Schedule, DeclareAttrInterfaceMethods<Cuda_DeviceSchedule>]> {
  let mnemonic = text;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Cuda_Rows : Cuda_Schedule<"Rows", "rows"> {
  let summary = "schedule of elementwise ops and reductions along rows, and of what is computed as such";
  let description = [{
    A block has `threads` threads, in teams of `team`: the threads that run along the lanes of one row, each through `unroll` times `vector` lanes
    at a time. `vector` of them lie side by side, and are read and written together as far as addresses are certain to be multiples (up to 16 bytes).
    Where all lanes of a row are known to be done at a time, a thread has them in registers: a row is read once.
    Teams that add up are a warp or a whole block. At most `blocks` blocks are launched, which take tasks in turn.
  }];
  let parameters = (ins "int64_t":$threads, "int64_t":$team, DefaultValuedParameter<"int64_t", "1">:$vector, "int64_t":$unroll, "int64_t":$blocks);
  let extraClassDeclaration = [{
    /// Of a team.
    int64_t lanesAtOnce() const { return getTeam() * getVector() * getUnroll(); }
    bool suits(::weft::kernel::Family family) const { return family != ::weft::kernel::Family::scatter; }
    int64_t threadsOfShared() const { return getThreads(); }
  }];
}

def Cuda_Columns : Cuda_Schedule<"Columns", "columns"> {
  let summary = "schedule of sums whose lanes are results of their own";
  let description = [{
    For rows of which every lane is a sum of its own, over other dimensions: the columns of a matrix. A block of `threads` threads has `lanes` of
    these sums, `vector` of which, side by side, are a thread's; its threads share what each is summed over, and add up at the end, in a fixed order.
    At most `blocks` blocks are launched, which take tasks in turn.
  }];
  let parameters = (ins "int64_t":$threads, "int64_t":$lanes, DefaultValuedParameter<"int64_t", "1">:$vector, "int64_t":$blocks);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family != ::weft::kernel::Family::scatter; }
    int64_t threadsOfShared() const { return getThreads(); }
    /// Threads that have the same sum.
    int64_t together() const { return getThreads() / team(); }
    /// Threads that have the sums of a block between them.
    int64_t team() const { return getLanes() / getVector(); }
  }];
}

def Cuda_Contraction : Cuda_Schedule<"Contraction", "contraction"> {
  let summary = "schedule of a matrix product by fused multiply-adds";
  let description = [{
    A block computes `rows` x `columns` of the result, `depth` of the contracted dimension at a time, of which two pieces of both sides lie in
    shared memory. Each thread has `thread_rows` x `thread_columns` sums in registers, and goes through the depth `unroll` steps in a pass. The depth
    is cut into at most `splits` parts, each of which has its blocks; a second launch adds their sums in the order of the parts.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$depth, "int64_t":$thread_rows, "int64_t":$thread_columns,
    "int64_t":$unroll, DefaultValuedParameter<"int64_t", "1">:$splits);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::contraction; }
    /// Of a block.
    unsigned threads() const { return (getRows() / getThreadRows()) * (getColumns() / getThreadColumns()); }
  }];
}

def Cuda_Mma : Cuda_Schedule<"Mma", "mma"> {
  let summary = "schedule of a matrix product by matrix instructions of a warp";
  let description = [{
    For products of which both sides are stored as bf16, or read as tf32; sums are f32. A block computes `rows` x `columns` of the result, `depth` of the contracted
    dimension at a time, of which `stages` pieces of both sides are in shared memory or on the way there. It has `warps_down` x `warps_across` warps, each
    of which has its part of the tile in registers. All are powers of two, but `stages` and `splits`. In how large pieces a side is copied
    follows from its layout. The depth is cut into at most `splits` parts, as that of a `contraction` is.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$depth, "int64_t":$warps_down, "int64_t":$warps_across,
    "int64_t":$stages, DefaultValuedParameter<"int64_t", "1">:$splits);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::contraction; }
    /// Of a block.
    int64_t threads() const { return getWarpsDown() * getWarpsAcross() * 32; }
    /// Of the stages, of factors that have so many bytes.
    int64_t sharedBytes(int64_t each) const { return getStages() * (getRows() + getColumns()) * getDepth() * each; }
    /// Floats that each thread has of one sum.
    int64_t sumsEach() const { return getRows() * getColumns() / threads(); }
  }];
}

def Cuda_Wgmma : Cuda_Schedule<"Wgmma", "wgmma"> {
  let summary = "schedule of a matrix product by matrix instructions of four warps";
  let description = [{
    Of `sm_90a` alone, for products of which both sides are stored as bf16 and are tensors that tiles can be copied of; sums are f32. A block
    computes `rows` x `columns` of the result: `consumers` groups of four warps, which have rows each, multiply what another group has copied into
    one of `stages` stages, of 64 elements in depth. `cluster` blocks (1 or 2) with tiles one below the other share what they read of the right
    side. There are as many blocks as multiprocessors; they go from tile to tile. The depth is cut into at most `splits` parts, each of which has
    its tiles; a second launch adds their sums in the order of the parts.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$consumers, "int64_t":$stages, "int64_t":$cluster,
    DefaultValuedParameter<"int64_t", "1">:$splits);
  let extraClassDeclaration = [{
    /// Threads that multiply together, the rows that they do, and the depth of a stage.
    static constexpr int64_t groupThreads = 128, groupRows = 64, stageDepth = 64;
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::contraction; }
    /// Of a block.
    int64_t threads() const { return (getConsumers() + 1) * groupThreads; }
    /// Of a block whose tiles have so many sums: stages, their barriers, and what goes to memory.
    int64_t sharedBytes(int64_t sums) const;
    /// Floats that a thread has of one sum.
    int64_t sumsEach() const { return getRows() * getColumns() / (getConsumers() * groupThreads); }
    /// Of a thread, when a block begins: all that there are, for whole warps.
    int64_t registersAtStart() const { return 65536 / threads() / 8 * 8; }
    /// Blocks of a whole device.
    int64_t blocksAtOnce() const;
  }];
}

def Cuda_FewRows : Cuda_Schedule<"FewRows", "few_rows"> {
  let summary = "schedule of a matrix product of few rows by fused multiply-adds";
  let description = [{
    What takes as long as the right side takes to be read. A block has `rows` rows and `columns` columns of the result, and reads these columns of the
    right side once, straight to registers: each of its `threads` threads has `thread_columns` columns and, of the depth, `thread_depth` elements at a
    time, in turn with the others that have these columns. Their sums are added at the end, in a fixed order. All are powers of two.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$threads, "int64_t":$thread_columns, "int64_t":$thread_depth);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::contraction; }
    /// Threads that have the columns, and those that have the same ones.
    int64_t across() const { return getColumns() / getThreadColumns(); }
    int64_t deep() const { return getThreads() / across(); }
    /// Of a block, of so many sums: what warps leave of each.
    int64_t sharedBytes(int64_t sums) const;
  }];
}

def Cuda_ByRows : Cuda_Schedule<"ByRows", "by_rows"> {
  let summary = "schedule of a matrix product whose rows are few or many, as a run has it";
  let description = [{
    Of a product whose rows come with the data. There are two kernels: `few` is launched where there are at most `rows` rows, else `many`, which is any
    other schedule of a product.
  }];
  let parameters = (ins "int64_t":$rows, "::weft::cuda::FewRowsAttr":$few, "::weft::kernel::ScheduleAttr":$many);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::contraction; }
  }];
}

def Cuda_Attention : Cuda_Schedule<"Attention", "attention"> {
  let summary = "schedule of an attention by fused multiply-adds";
  let description = [{
    A block has `rows` queries and goes through the keys `keys` at a time; queries, keys and weights lie in shared memory. Each thread has
    `thread_rows` x `thread_keys` scores in registers, and so many rows of the result; it goes through what is summed `unroll` steps in a pass.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$keys, "int64_t":$thread_rows, "int64_t":$thread_keys, "int64_t":$unroll);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention; }
    /// Of a block.
    unsigned threads() const { return (getRows() / getThreadRows()) * across(); }
    /// Threads that have the keys of a query.
    int64_t across() const { return getKeys() / getThreadKeys(); }
    /// Bytes that a block shares.
    int64_t sharedBytes(int64_t depth, int64_t values) const;
  }];
}

def Cuda_AttentionGrad : Cuda_Schedule<"AttentionGrad", "attention_grad"> {
  let summary = "schedule of the gradient of an attention by fused multiply-adds";
  let description = [{
    A block has `rows` queries and goes through the keys `columns` at a time, or `rows` keys and goes through the queries so; both sides, and weights
    with their gradients, lie in shared memory. Each thread has `thread_rows` x `thread_columns` scores in registers, and so many rows of the
    result; it goes through what is summed `unroll` steps in a pass. Where a bias has a gradient too, other blocks have `rows` x `columns` of its scores,
    or `rows` of its queries or keys where it has no others. A block goes through all positions of the batch that add to what it has.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$thread_rows, "int64_t":$thread_columns, "int64_t":$unroll);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention_grad; }
    /// Of a block.
    unsigned threads() const { return (getRows() / getThreadRows()) * across(); }
    /// Threads that have the columns of a row.
    int64_t across() const { return getColumns() / getThreadColumns(); }
    /// Bytes that a block shares.
    int64_t sharedBytes(int64_t depth, int64_t values) const;
  }];
}

def Cuda_MmaAttention : Cuda_Schedule<"MmaAttention", "mma_attention"> {
  let summary = "schedule of an attention by matrix instructions of a warp";
  let description = [{
    Where queries, keys and values are stored as bf16. A block has `rows` queries, of which each of its `warps` warps has as many, sixteen or more, and
    goes through the keys `keys` at a time; `stages` pieces of keys and their values are in shared memory or on the way there. Scores, what is summed and
    statistics of rows are f32 in registers. A weight is multiplied as one number of bf16 where the attention says so (`narrow_weights`), else as two terms,
    so that it is off by 2^-16 at most.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$keys, "int64_t":$warps, "int64_t":$stages);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention; }
    /// Of a block.
    int64_t threads() const { return getWarps() * 32; }
    /// Bytes that a block shares.
    int64_t sharedBytes(int64_t depth, int64_t values) const;
    /// Floats that a thread has in registers of what is summed and of scores.
    int64_t floatsEach(int64_t depth, int64_t values) const;
  }];
}

def Cuda_WgmmaAttention : Cuda_Schedule<"WgmmaAttention", "wgmma_attention"> {
  let summary = "schedule of an attention by matrix instructions of four warps";
  let description = [{
    Of `sm_90a` alone, for what `mma_attention` is for where queries, keys and values are tensors that tiles can be copied of. Each of a block's two
    groups of four warps has 64 queries; a third one has keys and values copied, `keys` at a time (64 or 128), each into one of `stages` stages.
    While weights are worked out, the values before and the keys behind them are multiplied. There are as many blocks as multiprocessors; they go from
    tile to tile.
  }];
  let parameters = (ins "int64_t":$keys, "int64_t":$stages);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention; }
    /// Of a block, and its queries.
    static constexpr int64_t threads() { return 384; }
    static constexpr int64_t rows() { return 128; }
    /// Columns of a tile that has so many.
    static constexpr int64_t wide(int64_t count) { return count <= 64 ? 64 : 128; }
    /// Bytes that a block shares.
    int64_t sharedBytes(int64_t depth, int64_t values) const;
    /// Blocks of a whole device.
    int64_t blocksAtOnce() const;
  }];
}

def Cuda_SplitAttention : Cuda_Schedule<"SplitAttention", "split_attention"> {
  let summary = "schedule of an attention of few queries, whose keys are cut into parts";
  let description = [{
    What takes as long as keys and values take to be read. Keys are cut into parts of at least `keys` keys until there are `blocks` blocks, of which each
    has `rows` queries and a part; where there are several, a second launch joins what they left of a query, in their order. Lanes side by side read a key and its values straight to
    registers; each such group among a block's `threads` threads goes through keys of its own, `unroll` at a time.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$keys, "int64_t":$threads, "int64_t":$unroll, "int64_t":$blocks);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention; }
    /// Of a block of the second launch.
    static constexpr int64_t joinThreads = 128;
    /// Parts that keys are cut into, where there are so many blocks of queries, and the keys of each.
    std::pair<int64_t, int64_t> cut(int64_t queries, int64_t keys) const;
    /// Lanes that read a key of so many columns, whose elements have so many bytes.
    static int64_t lanes(int64_t columns, int64_t bytes);
    /// Floats that a thread has of queries and of what is summed.
    int64_t floatsEach(int64_t depth, int64_t values, int64_t bytes) const;
    /// Bytes that a block shares.
    int64_t sharedBytes(int64_t depth, int64_t values, int64_t bytes) const;
  }];
}

def Cuda_ByQueries : Cuda_Schedule<"ByQueries", "by_queries"> {
  let summary = "schedule of an attention whose queries are few or many, as a run has it";
  let description = [{
    Of an attention whose queries come with the data. There are kernels for both: `few` is launched where there are at most `queries` of them in a position
    of the batch, else `many`, which is any other schedule of an attention.
  }];
  let parameters = (ins "int64_t":$queries, "::weft::cuda::SplitAttentionAttr":$few, "::weft::kernel::ScheduleAttr":$many);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention; }
  }];
}

def Cuda_MmaAttentionGrad : Cuda_Schedule<"MmaAttentionGrad", "mma_attention_grad"> {
  let summary = "schedule of the gradient of an attention by matrix instructions of a warp";
  let description = [{
    Where queries, keys, values and the gradient of the output are stored as bf16. A block has `rows` queries and goes through the keys `columns` at a time,
    or `rows` keys and goes through the queries so; each of its `warps` warps has as many rows, sixteen or more. `stages` pieces of the other side are in
    shared memory or on the way there. Weights and their gradients are f32 in registers, and multiplied as one number or two terms of bf16, as in `mma_attention`.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$warps, "int64_t":$stages);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention_grad; }
    /// Of a block.
    int64_t threads() const { return getWarps() * 32; }
    /// Bytes that a block shares.
    int64_t sharedBytes(int64_t depth, int64_t values) const;
    /// Floats that a thread has in registers of what is summed and of scores.
    int64_t floatsEach(int64_t depth, int64_t values) const;
  }];
}

def Cuda_WgmmaAttentionGrad : Cuda_Schedule<"WgmmaAttentionGrad", "wgmma_attention_grad"> {
  let summary = "schedule of the gradient of an attention by matrix instructions of four warps";
  let description = [{
    Of `sm_90a` alone, for what `mma_attention_grad` is for where the output is stored as bf16 too, and all of these are tensors that tiles can be copied of.
    A block has 128 queries and goes through the keys `columns` at a time (64 or 128), or 128 keys and goes through the queries so. Each of its two groups of four warps
    has 64 of them; a third one has tiles of the other side copied into `stages` stages. What each query's gradient and its output give together is found by a
    launch of its own.
  }];
  let parameters = (ins "int64_t":$columns, "int64_t":$stages);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::attention_grad; }
    /// Of a block, and its queries or keys.
    static constexpr int64_t threads() { return 384; }
    static constexpr int64_t rows() { return 128; }
    /// Columns of a tile that has so many.
    static constexpr int64_t wide(int64_t count) { return count <= 64 ? 64 : 128; }
    /// Bytes that a block shares.
    int64_t sharedBytes(int64_t depth, int64_t values) const;
  }];
}

def Cuda_Scatter : Cuda_Schedule<"Scatter", "scatter"> {
  let summary = "schedule of a scatter";
  let description = [{
    A block of `threads` threads owns a range of the dimension that is scattered to, at least `positions` of it, so that there are at most `blocks`
    blocks; it reads all indices, `threads` at a time, and adds those rows whose index is in its range, in their order. Each thread clears and adds
    `vector` elements side by side.
  }];
  let parameters = (ins "int64_t":$threads, "int64_t":$positions, DefaultValuedParameter<"int64_t", "1">:$vector, "int64_t":$blocks);
  let extraClassDeclaration = [{
    bool suits(::weft::kernel::Family family) const { return family == ::weft::kernel::Family::scatter; }
  }];
}

#endif // WEFT_IR_CUDA
