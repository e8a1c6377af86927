// Which values have one storage type, because they lie in one memory or are copied as bytes.
#ifndef WEFT_IR_KERNEL_STORAGE_SHAREDSTORAGE_H
#define WEFT_IR_KERNEL_STORAGE_SHAREDSTORAGE_H

#include "ir/kernel/Places.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace weft {

/// Of roots (of `Place`s). What a loop carries lies in one memory before, in and behind it; what it
/// stacks or slices is a piece of the whole. Where such a value has to be moved, its bytes are.
class SharedStorage {
public:
  SharedStorage(mlir::ModuleOp module, const Places &places);

  /// The value that stands for all that are stored like `root`.
  mlir::Value leader(mlir::Value root) const;
  /// Arguments and results of entries and parameters: stored as their type says. Caches are not
  /// outside that say how they are stored (`model.storage`).
  bool isOutside(mlir::Value root) const { return outside.contains(leader(root)); }
  /// What layouts of kernels that compute such values say; null: as its type says.
  mlir::Type of(mlir::Value root) const { return storage.lookup(leader(root)); }
  /// Of so many elements of `root` side by side.
  Size bytes(mlir::Value root, const Size &elements) const;
  /// Of all of `root`, and of what lies between its rows.
  Size bytes(mlir::Value root) const;

private:
  void join(mlir::Value a, mlir::Value b);
  void join(model::RepeatOp loop);
  void join(mlir::func::ReturnOp exit);
  /// Values themselves where they have no place yet.
  mlir::Value rootOf(mlir::Value value) const;

  const Places &places;
  llvm::EquivalenceClasses<void *> classes;
  llvm::DenseSet<mlir::Value> outside;             // leaders
  llvm::DenseMap<mlir::Value, mlir::Type> storage; // by leader
};

} // namespace weft

#endif // WEFT_IR_KERNEL_STORAGE_SHAREDSTORAGE_H
