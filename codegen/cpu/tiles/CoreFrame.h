// What all cores have in common: their arguments, the left side, and the tile that they write.
#ifndef WEFT_CODEGEN_CPU_TILES_COREFRAME_H
#define WEFT_CODEGEN_CPU_TILES_COREFRAME_H

#include "codegen/cpu/tiles/MicroKernel.h"
#include "codegen/emit/Loops.h"

namespace weft::cpu {

/// One core in the making: `rows` x `panels`.
class CoreFrame {
public:
  CoreFrame(Emission &emission, Core core, Tile tile, llvm::Function *function);

protected:
  llvm::Value *load(llvm::Type *type, llvm::Value *from) {
    return builder.CreateAlignedLoad(type, from, llvm::Align(4));
  }
  llvm::Value *at(llvm::Type *type, llvm::Value *base, int64_t index) {
    return builder.CreateConstInBoundsGEP1_64(type, base, index);
  }
  /// Of floats.
  llvm::Value *at(llvm::Value *base, llvm::Value *index) {
    return builder.CreateInBoundsGEP(builder.getFloatTy(), base, index);
  }

  /// Sums of a row lie side by side, and rows one after the other.
  int64_t sums() const { return tile.rows * vectors; }
  /// Chains of sums that run side by side, a power of two of at most `most`, to hide the latency of
  /// additions where a tile has few sums: as many as fit the registers with a step's right side for
  /// each. A pass of a loop has a step for each chain. More would gain nothing and cost much:
  /// instruction selection puts neighbouring loads side by side, so the right sides of all steps
  /// would be loaded at first, and sums would leave their registers (8x48 by four steps has 90 % of
  /// the peak, by one 96 %).
  int64_t chainsUpTo(int64_t most) const;
  /// left[row][index] in all lanes.
  llvm::Value *leftAt(int64_t row, llvm::Value *index);
  /// The word of left[row][index] and the next one, of bfloat16; `index` is even.
  llvm::Value *leftPairAt(int64_t row, llvm::Value *index);
  /// The same of the last element, with zeros as the next one.
  llvm::Value *leftLastAt(int64_t row, llvm::Value *index);
  /// sums[…] += left[…][index] * right[…], a vector for each of a row of the tile.
  void addProducts(llvm::MutableArrayRef<llvm::Value *> sums, llvm::Value *index,
                   llvm::ArrayRef<llvm::Value *> right);
  /// sums[…] += left[…] * words[…]: of two terms each, by one instruction; `leftWord` is a row's.
  void addDots(llvm::MutableArrayRef<llvm::Value *> sums, llvm::ArrayRef<llvm::Value *> words,
               llvm::function_ref<llvm::Value *(int64_t row)> leftWord);
  /// Halves the chains of sums until there is one.
  void addChains(Values &chains);
  /// Writes the sums to the tile, or adds them to what it holds, and ends the function.
  void finish(Values sum);
  /// Sets the tile to zeros unless it is added to: for cores that add to its memory as they go.
  void clearTile();
  /// Where the tile has sum number `sum`.
  llvm::Value *place(int64_t sum);

  Emission &emission;
  Core core;
  Tile tile;
  llvm::IRBuilder<> builder;
  int64_t vectors; // of a row of the tile
  llvm::Value *k, *left, *offsets, *right, *rightStride, *out, *outStride, *accumulate, *leftStride;

private:
  /// Of elements of the left side.
  llvm::Value *ofLeft(llvm::Value *base, llvm::Value *index) {
    return core.dots != PairProducts::none
               ? builder.CreateInBoundsGEP(builder.getInt16Ty(), base, index)
               : at(base, index);
  }
  Values plusTile(const Values &sum);

  Values rows; // where each of the left side begins, if they have places of their own
};

/// Writes a core whose right side is stored in groups (GroupedCore.cpp; ScaledCore.cpp and
/// AmxScaledCore.cpp where they were widened to pairs), or in pairs (PairedCore.cpp; AmxCore.cpp
/// where tiles multiply them).
void buildGroupedCore(Emission &emission, Core core, Tile tile, llvm::Function *function);
void buildScaledCore(Emission &emission, Core core, Tile tile, llvm::Function *function);
void buildPairedCore(Emission &emission, Core core, Tile tile, llvm::Function *function);
void buildAmxScaledCore(Emission &emission, Core core, Tile tile, llvm::Function *function);
void buildAmxCore(Emission &emission, Core core, Tile tile, llvm::Function *function);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_COREFRAME_H
