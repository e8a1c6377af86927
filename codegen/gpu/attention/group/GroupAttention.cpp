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

std::string GroupAttentionTiles::problem() const {
  for (unsigned columns : {depth, values})
    if (columns != 64 && columns != 128)
      return "queries, keys and values have 64 or 128 columns";
  if (keys != 64 && keys != 128)
    return "a block has 64 or 128 keys";
  if (stages < 2)
    return "two stages at least, for keys go ahead of values";
  if (weightParts != 1 && weightParts != 2)
    return "a weight is one or two numbers of bf16";
  if (sharedBytes() > 227 * 1024)
    return "stages take more shared memory than a block has";
  return "";
}

namespace {

/// The kernel's tensors, by number.
enum Map : unsigned { queryMap, keyMap, valueMap, maps };

struct Tiling {
  const AttentionForm &form;
  cuda::AttentionTensors tensors;
  GroupAttentionTiles tiles;
  int64_t atOnce; ///< blocks

  /// Blocks of queries of one position of the batch, and of all. i64.
  Value *down(Frame frame) const {
    return ceilDiv(frame.builder, frame.extent(tensors.rows),
                   frame.builder.getInt64(tiles.queries()));
  }
  Value *all(Frame frame) const {
    return frame.builder.CreateNSWMul(frame.extent(tensors.batch(form)), down(frame));
  }
};

/// Which tiles a block has. Where a mask is causal the last queries of a position have most keys to
/// go through, and the first ones fewest: together pairs of them have as many as others. Blocks
/// take pairs, as far as there are more tiles than blocks, so that all end at one time.
class TilesOfBlock {
public:
  TilesOfBlock(Frame frame, const Tiling &tiling) : b(frame.builder), down(tiling.down(frame)) {
    Value *all = tiling.all(frame);
    pairs = b.CreateICmpSGT(all, b.getInt64(tiling.atOnce));
    each = b.CreateSelect(pairs, ceilDiv(b, down, b.getInt64(2)), down);
    units = b.CreateNSWMul(frame.extent(tiling.tensors.batch(tiling.form)), each);
  }

  /// Pairs, or tiles.
  Value *units, *each; ///< of all, and of a position: i64

  struct Tile {
    Value *batch, *number; ///< i64
    Value *isOther;        ///< i1: else the pair is a single tile, which came before
  };
  Value *exists(Value *number) { return b.CreateICmpSLT(unitOf(number), units); }
  Tile tile(Value *number) {
    Value *unit = unitOf(number), *first = b.CreateURem(unit, each);
    Value *last = b.CreateNSWSub(b.CreateNSWSub(down, b.getInt64(1)), first);
    Value *isSecond = b.CreateTrunc(number, b.getInt1Ty());
    Value *isPair = b.CreateAnd(pairs, b.CreateICmpNE(first, last));
    return {b.CreateUDiv(unit, each), b.CreateSelect(isSecond, first, last),
            b.CreateOr(b.CreateNot(isSecond), isPair)};
  }

private:
  Value *unitOf(Value *number) {
    auto wide = [&](Value *value) { return b.CreateZExt(value, b.getInt64Ty()); };
    Value *round = wide(b.CreateLShr(number, 1));
    return b.CreateNSWAdd(wide(blockOf(b, 0)), b.CreateNSWMul(round, wide(blocksOf(b, 0))));
  }

  IRBuilderBase &b;
  Value *down, *pairs;
};

class AttentionKernel {
public:
  AttentionKernel(Frame frame, KernelShell &shell, kernel::FusedOp op, const Tiling &tiling,
                  ArrayRef<unsigned> alignments)
      : frame(frame), b(frame.builder), shell(shell), op(op), form(tiling.form), tiling(tiling),
        alignments(alignments), tiles(tiling.tiles), mask(frame, op, form),
        buffers{frame, op, form, nullptr} {}

  void emit() {
    TilesOfBlock own(frame, tiling);
    parts = frame.extent(tiling.tensors.apart);
    rowCount = frame.extent(tiling.tensors.rows);
    keyCount = frame.extent(form.keys);
    auto tile = [&](Value *number, GroupAttentionWork::Body body) {
      TilesOfBlock::Tile at = own.tile(number);
      when(b, at.isOther, [&] {
        batch = at.batch;
        part = b.CreateURem(batch, parts);
        buffers.batch = b.CreateUDiv(batch, parts);
        Value *query0 = narrow(b.CreateNSWMul(at.number, b.getInt64(tiles.queries())));
        mask.scope([&] {
          body({source(queryMap, tiling.tensors.queries),
                source(keyMap, tiling.tensors.keys),
                source(valueMap, tiling.tensors.values),
                {narrow(rowCount), narrow(keyCount)},
                form.mask ? keyMask() : KeyMask(),
                query0},
               results());
        });
      });
    };
    emitGroupAttention(b, tiles,
                       {form.scale, [&](Value *number) { return own.exists(number); }, tile},
                       dynamicShared(b));
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
  Tiling tiling = {*form, *tensors, tiles, schedule.blocksAtOnce()};
  KernelShell shell(op, name, emissions,
                    {.threads = tiles.threads(), .shared = tiles.sharedBytes(), .maps = maps});
  AttentionKernel(shell.frame(), shell, op, tiling, alignments).emit();
  shell.describe([&](Frame frame) -> SmallVector<TensorOfMap> {
    return {tensorOf(frame, form->q, tensors->queries, {panelColumns, tiles.queries()}),
            tensorOf(frame, form->k, tensors->keys, {panelColumns, tiles.keys}),
            tensorOf(frame, form->v, tensors->values, {panelColumns, tiles.keys})};
  });
  auto blocks = [&](Frame frame) -> Value * {
    return minimum(frame.builder, TilesOfBlock(frame, tiling).units,
                   frame.builder.getInt64(tiling.atOnce));
  };
  return std::optional(shell.finish(blocks, [](Frame frame) { return frame.builder.getInt64(0); }));
}

} // namespace weft::gpu
