// Attention over named dimensions by wgmma: which tile a block has, its mask, and where its results
// go.
#include "codegen/gpu/attention/group/GroupAttention.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/Buffers.h"
#include "codegen/gpu/attention/ScoreMask.h"
#include "codegen/gpu/attention/group/Forward.h"
#include "codegen/gpu/contraction/TensorTiles.h"
#include "ir/cuda/GroupAttentionSchedules.h"

using namespace llvm;

namespace weft::gpu {

namespace {

/// The kernel's tensors, by number.
enum Map : unsigned { queryMap, keyMap, valueMap, maps };

struct Tiling {
  const AttentionForm &form;
  cuda::AttentionTensors tensors;
  GroupAttentionTiles tiles;

  /// Blocks of queries of one position of the batch, and of all. i64.
  Value *down(Frame frame) const {
    return ceilDiv(frame.builder, frame.extent(tensors.rows),
                   frame.builder.getInt64(tiles.queries()));
  }
  Value *blocks(Frame frame) const {
    return frame.builder.CreateNSWMul(frame.extent(tensors.batch(form)), down(frame));
  }
};

class AttentionKernel {
public:
  AttentionKernel(Frame frame, KernelShell &shell, kernel::FusedOp op, const Tiling &tiling,
                  ArrayRef<unsigned> alignments)
      : frame(frame), b(frame.builder), shell(shell), op(op), form(tiling.form), tiling(tiling),
        alignments(alignments), tiles(tiling.tiles), mask(frame, op, form),
        buffers{frame, op, form, nullptr} {}

  void emit() {
    Value *down = tiling.down(frame), *block = b.CreateZExt(blockOf(b, 0), b.getInt64Ty());
    // What has most keys to go through comes first where a mask is causal, so that all end at one
    // time.
    Value *fromLast = b.CreateURem(block, down);
    Value *tile = b.CreateNSWSub(b.CreateNSWSub(down, b.getInt64(1)), fromLast);
    batch = b.CreateUDiv(block, down);
    parts = frame.extent(tiling.tensors.apart);
    part = b.CreateURem(batch, parts);
    buffers.batch = b.CreateUDiv(batch, parts);
    rowCount = frame.extent(tiling.tensors.rows);
    keyCount = frame.extent(form.keys);
    Value *query0 = narrow(b.CreateNSWMul(tile, b.getInt64(tiles.queries())));
    mask.scope([&] {
      emitGroupAttention(b, tiles,
                         {source(queryMap, tiling.tensors.queries),
                          source(keyMap, tiling.tensors.keys),
                          source(valueMap, tiling.tensors.values),
                          {narrow(rowCount), narrow(keyCount)},
                          form.mask ? keyMask() : KeyMask(),
                          form.scale,
                          query0},
                         dynamicShared(b), results());
    });
  }

private:
  Value *narrow(Value *whole) { return b.CreateTrunc(whole, b.getInt32Ty()); }
  Value *wide(Value *number) { return b.CreateZExt(number, b.getInt64Ty()); }

  TileSource source(Map map, const cuda::TensorSide &side) {
    return {shell.map(map), [this, side](Value *first) {
              Value *zero = b.getInt32(0);
              auto all = coordinatesOf(frame, side, batch, side.alongDepth ? first : zero,
                                       side.alongDepth ? zero : first);
              all.erase(all.begin()); // that of columns
              return all;
            }};
  }

  /// Of the form's rows the one that a tile's row is, i64.
  Value *rowOf(Value *query) { return b.CreateNSWAdd(b.CreateNSWMul(wide(query), parts), part); }

  KeyMask keyMask() {
    auto judge = [this](const KeyMask::Block &block) -> KeyMask::Verdict {
      auto within = [&](Value *first, unsigned count, Value *size) -> std::pair<Value *, Value *> {
        Value *last = b.CreateNSWSub(size, b.getInt64(1));
        Value *from = minimum(b, wide(first), last);
        return {from, minimum(b, b.getInt64(count), b.CreateNSWSub(size, from))};
      };
      auto [query, queries] = within(block.query, block.queries, rowCount);
      auto [key, keys] = within(block.key, block.keys, keyCount);
      // Rows of the other parts lie between: what holds of all holds of these.
      auto verdict = mask.judge(
          {buffers.batch, b.CreateNSWMul(query, parts), b.CreateNSWMul(queries, parts), key, keys});
      return {verdict.never, verdict.always};
    };
    auto keeps = [this](Value *query, Value *key) {
      return mask.keeps(buffers.batch, rowOf(query), wide(key));
    };
    return {judge, keeps};
  }

  GroupAttentionResults results() {
    auto exists = [this](Value *query) { return b.CreateICmpULT(wide(query), rowCount); };
    auto output = [=, this](Value *query, Value *column, Value *first, Value *second) {
      when(b, exists(query), [&] {
        for (unsigned each : form.output)
          buffers.storePair(first, second, each, {form.rows, rowOf(query)},
                            {form.values, wide(column)}, alignments);
      });
    };
    auto logsumexp = [=, this](Value *query, Value *value) {
      when(b, exists(query), [&] {
        for (unsigned each : form.lse)
          store(value, each, rowOf(query), b.getInt64(0));
      });
    };
    return {output, logsumexp};
  }

  void store(Value *value, unsigned buffer, Value *row, Value *column) {
    buffers.store(value, buffer, {form.rows, row}, {form.values, column});
  }

  Frame frame;
  IRBuilderBase &b;
  KernelShell &shell;
  kernel::FusedOp op;
  const AttentionForm &form;
  const Tiling &tiling;
  ArrayRef<unsigned> alignments;
  const GroupAttentionTiles &tiles;
  ScoreMask mask;
  AttentionBuffers buffers;
  Value *batch = nullptr; ///< with `apart`, of which there are `parts`
  Value *parts = nullptr, *part = nullptr;
  Value *rowCount = nullptr, *keyCount = nullptr;
};

} // namespace

mlir::FailureOr<std::optional<DeviceKernel>> emitGroupAttention(kernel::FusedOp op,
                                                                cuda::WgmmaAttentionAttr schedule,
                                                                StringRef name, Emissions emissions,
                                                                ArrayRef<unsigned> alignments) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  for (unsigned operand : {form->q, form->k, form->v})
    if (!beginsTensor(alignments, operand))
      return std::optional<DeviceKernel>();
  std::string why;
  auto tensors = cuda::attentionTensorsOf({op, emissions.device.dims}, *form, why);
  assert(tensors && "the schedule was checked");
  auto wide = [&](const DimList &dims) {
    return unsigned(schedule.wide(*emissions.device.known(sizeOf(dims))));
  };
  GroupAttentionTiles tiles;
  tiles.depth = wide(form->depth);
  tiles.values = wide(form->values);
  tiles.keys = unsigned(schedule.getKeys());
  tiles.stages = unsigned(schedule.getStages());
  tiles.weightParts = form->narrowWeights ? 1 : 2;
  assert(tiles.problem().empty() && "the schedule was checked");
  Tiling tiling = {*form, *tensors, tiles};
  KernelShell shell(op, name, emissions,
                    {.threads = tiles.threads(), .shared = tiles.sharedBytes(), .maps = maps});
  AttentionKernel(shell.frame(), shell, op, tiling, alignments).emit();
  shell.describe([&](Frame frame) -> SmallVector<TensorOfMap> {
    return {tensorOf(frame, form->q, tensors->queries, {panelColumns, tiles.queries()}),
            tensorOf(frame, form->k, tensors->keys, {panelColumns, tiles.keys}),
            tensorOf(frame, form->v, tensors->values, {panelColumns, tiles.keys})};
  });
  return std::optional(shell.finish([&](Frame frame) { return tiling.blocks(frame); },
                                    [](Frame frame) { return frame.builder.getInt64(0); }));
}

} // namespace weft::gpu
