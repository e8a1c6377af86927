// A block of the gradient of attention by products of four warps: its queries and all keys, or its
// keys and all queries. One thread asks for tiles, two warps find what is to be known of queries,
// two groups of four warps multiply.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_GRADIENTBLOCK_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_GRADIENTBLOCK_H

#include "codegen/gpu/attention/RowConstants.h"
#include "codegen/gpu/attention/group/GradientTiles.h"
#include "codegen/gpu/base/KernelShell.h"
#include "ir/cuda/GroupGradientSchedules.h"

namespace weft::gpu {

/// A kernel of such blocks.
struct GroupGradientKernel {
  Frame frame;
  KernelShell &shell;
  kernel::FusedOp op;
  const AttentionForm &form;
  const cuda::GradientTensors &tensors;
  GroupGradientTiles tiles;
  llvm::ArrayRef<unsigned> alignments; ///< of buffers

  /// The kernel's tensors, by number.
  enum Map : unsigned { queryMap, keyMap, valueMap, gradientMap, maps };
};

class GradientBlock {
public:
  /// At position `batch` of the form's (i64), what is owned from `first` (i32) on; where that is
  /// queries, of `part` (i64) of what lies apart.
  struct Where {
    Owner owner;
    llvm::Value *batch, *first, *part;
  };
  GradientBlock(const GroupGradientKernel &kernel, const Where &where);
  GradientBlock(const GradientBlock &) = delete; // its mask knows where it is
  /// Of all blocks, by one thread, before a barrier of all.
  static void makeBarriers(const GroupGradientKernel &kernel);
  /// What the first group of warps does, warp `warp` (i32) of it.
  void bring(llvm::Value *warp);
  /// What group `group` (i32) of those who multiply does.
  void multiply(llvm::Value *group);

private:
  /// A tile of the others, by its number: those of one part come one after the other. i32, i64.
  struct Tile {
    llvm::Value *first, *part;
  };
  bool ofQueries() const { return owner == Owner::queries; }
  llvm::Value *wide(llvm::Value *number) { return b.CreateZExt(number, b.getInt64Ty()); }
  llvm::Value *narrow(llvm::Value *whole) { return b.CreateTrunc(whole, b.getInt32Ty()); }
  llvm::Value *number(double value) { return llvm::ConstantFP::get(b.getFloatTy(), value); }
  llvm::Value *down(const DimList &dims, unsigned each); ///< tiles (i32)

  // Where things lie. `group` and `stage` are i32.
  Panels ownDepth(llvm::Value *group) const;
  Panels ownValues(llvm::Value *group) const;
  Panels otherDepth(llvm::Value *stage) const;
  Panels otherValues(llvm::Value *stage) const;
  llvm::Value *constants(llvm::Value *stage) const; ///< of queries, in shared memory
  llvm::Value *flag(llvm::Value *stage, unsigned watcher) const;
  Mbarrier constantsFull(llvm::Value *stage) const;
  Mbarrier ownFull() const;

  // Which tiles there are.
  Tile tile(llvm::Value *number);
  TileSource source(GroupGradientKernel::Map map, const cuda::TensorSide &side, llvm::Value *part);
  MaskBounds::Verdict judge(const Tile &other, llvm::Value *own0, unsigned owned);
  /// The first tile from `number` on that some score of the block is in. All roles ask for the same
  /// ones.
  llvm::Value *tileFrom(llvm::Value *number);
  llvm::Value *exists(llvm::Value *number) { return b.CreateICmpULT(number, tileCount); }
  llvm::Value *following(llvm::Value *number) { return b.CreateAdd(number, b.getInt32(1)); }
  /// The form's row that query `query` (i32) of a part is.
  llvm::Value *rowOf(llvm::Value *query, llvm::Value *part);

  void produce();
  void findConstants();
  /// Of one query by each thread of the watchers: its logsumexp, and its product.
  struct Constants {
    llvm::Value *logsumexp, *product;
  };
  Constants readConstants(llvm::Value *query, llvm::Value *part);
  /// Gives whether it is coarse: i1.
  llvm::Value *keep(const Constants &read, llvm::Value *cells, llvm::Value *query);
  void announce(llvm::Value *stage, llvm::Value *coarse);

  // Of those who multiply.
  struct State;
  State throughOthers(RowConstants &known);
  /// With tile `number`; gives which comes after it, too.
  std::pair<State, llvm::Value *> add(const State &before, ConsumerPlace place,
                                      llvm::Value *tileNumber, RowConstants &known);
  llvm::Value *isCoarse(llvm::Value *stage); ///< i1: some query of the stage
  void refine(RowConstants &known, llvm::Value *stage, const Tile &queries, llvm::Value *coarse);
  PendingAccumulators product(const Panels &own, llvm::ArrayRef<llvm::Value *> lefts,
                              const Panels &right);
  Values leftsOf(const Panels &own);
  /// Where score `number` of a thread stands: the form's row, the key, the query in its tile. i64.
  struct Place {
    llvm::Value *row, *key, *query;
    llvm::Value *exists;
  };
  Place placeOf(unsigned number, const Tile &other);
  Place placeAt(llvm::Value *down, llvm::Value *across, const Tile &other); ///< in the group's tile
  Values belowZero(llvm::ArrayRef<llvm::Value *> scores, const Tile &other, llvm::Value *stage,
                   llvm::Value *coarse, RowConstants &known);
  Values masked(llvm::ArrayRef<llvm::Value *> weights, const Tile &other);
  /// Where constant `list` of a query (i32) of the tile lies.
  llvm::Value *constant(unsigned list, llvm::Value *query, llvm::Value *stage);
  /// Those of the queries of all scores of the thread.
  Values constantsOf(unsigned list, llvm::Value *stage);
  llvm::SmallVector<LeftFragment> fragmentsOf(llvm::ArrayRef<llvm::Value *> numbers);
  PendingAccumulators sum(llvm::ArrayRef<llvm::Value *> before, llvm::ArrayRef<LeftFragment> left,
                          const Panels &right);
  void write(llvm::ArrayRef<unsigned> results, const DimList &along,
             llvm::ArrayRef<llvm::Value *> sums, double factor);

  const GroupGradientKernel &kernel;
  Owner owner;
  Frame frame;
  llvm::IRBuilderBase &b;
  const AttentionForm &form;
  const GroupGradientTiles &tiles;
  AttentionBuffers buffers;
  ScoreMask mask;
  llvm::Value *shared, *barriers;
  MbarrierRing ring;
  llvm::Value *parts, *rowCount, *keyCount; ///< i64; rows of a part
  llvm::Value *own0, *ownPart;
  llvm::Value *tilesDown, *tileCount;                     ///< i32
  llvm::Value *ownGroup = nullptr, *groupFirst = nullptr; ///< of those who multiply: i32
  llvm::Value *ownCoarse = nullptr;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_GRADIENTBLOCK_H
