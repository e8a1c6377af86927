// Panels of weights that share scales (#kernel.panels, storage i8 or i4), element by element: how
// the interpreter rounds them, and how they lie in the memory of kernels on trial.
#ifndef WEFT_TOOLS_KERNEL_STORAGE_GROUPEDWEIGHTS_H
#define WEFT_TOOLS_KERNEL_STORAGE_GROUPEDWEIGHTS_H

#include "ir/kernel/storage/GroupedPanels.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace weft::trial {

/// Of a tensor that is dense and row-major over `dims`, with these sizes.
class GroupedWeights {
public:
  GroupedWeights(kernel::PanelsAttr panels, llvm::ArrayRef<std::string> dims,
                 llvm::ArrayRef<int64_t> shape);

  /// Of all panels.
  int64_t bytes() const;
  /// To what is read again; with `draw`, which gives numbers from -1 to 1, to what is off by up to
  /// as much as a rounding.
  void round(llvm::MutableArrayRef<double> values,
             llvm::function_ref<double()> draw = nullptr) const;
  /// Rounds and writes; what fills up groups and panels is zero.
  void encode(llvm::ArrayRef<double> values, char *memory) const;
  void decode(const char *memory, llvm::MutableArrayRef<double> values) const;
  /// Whether what fills up groups and panels is zero.
  bool padded(const char *memory) const;

private:
  /// Weights that share a scale: where they lie in the tensor, and in which group of which panel.
  struct Group {
    int64_t number, column;
    std::vector<int64_t> places;
  };
  void forEach(llvm::function_ref<void(const Group &)> body) const;
  std::vector<int64_t> offsets(llvm::ArrayRef<model::DimAttr> along) const;

  kernel::PanelsAttr panels;
  model::WeightFormat format;
  std::vector<std::string> dims;
  std::vector<int64_t> shape;
  int64_t groupBytes, groupCount, panelCount; // of a group; of a panel; of a position of the batch
};

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_STORAGE_GROUPEDWEIGHTS_H
