// Reads panels of weights that are whole numbers in groups with scales (#kernel.panels).
#ifndef WEFT_CODEGEN_CPU_TILES_GROUPEDPANEL_H
#define WEFT_CODEGEN_CPU_TILES_GROUPEDPANEL_H

#include "codegen/emit/Loops.h"
#include "ir/cpu/Tile.h"
#include "ir/model/weights/WeightGroups.h"

#include <array>

namespace weft::cpu {

/// Of one group of a panel: 32 rows of 16 columns, `lanes` columns at a time.
class GroupedPanel {
public:
  GroupedPanel(llvm::IRBuilderBase &builder, unsigned lanes, model::WeightFormat format)
      : b(builder), lanes(lanes), format(format) {}

  /// Rows that are read together: a word has as many numbers of 4 bits.
  static constexpr int64_t together = model::groups::perWord;

  int64_t bytes() const { return model::groups::bytes(format, panelWidth); }
  /// Where group `number` (i64) of a panel begins.
  llvm::Value *group(llvm::Value *panel, llvm::Value *number);
  /// Where group `number` (i64) of a panel, which need not be there, would begin: to ask for it.
  llvm::Value *groupLater(llvm::Value *panel, llvm::Value *number);
  /// Asks for byte `at` of such a group, or for the numbers of eight rows, from `eight * 8` on.
  void fetch(llvm::Value *group, int64_t at);
  void fetchEight(llvm::Value *group, llvm::Value *eight);
  /// The scales of the columns from `column` on, as floats.
  llvm::Value *scales(llvm::Value *group, int64_t column);
  /// The numbers of eight rows, from `eight * 8` on, as floats.
  std::array<llvm::Value *, together> eightRows(llvm::Value *group, llvm::Value *eight,
                                                int64_t column);
  /// The numbers of one row.
  llvm::Value *row(llvm::Value *group, llvm::Value *row, int64_t column);

private:
  llvm::Value *bytesAt(llvm::Value *group, llvm::Value *row, int64_t column);
  llvm::Value *wordsAt(llvm::Value *group, llvm::Value *eight, int64_t column);
  llvm::Value *ofWords(llvm::Value *words, llvm::Value *i);
  llvm::Value *asFloats(llvm::Value *numbers);

  llvm::IRBuilderBase &b;
  unsigned lanes;
  model::WeightFormat format;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_GROUPEDPANEL_H
