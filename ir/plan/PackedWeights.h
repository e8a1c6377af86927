// What entries keep of parameters in panels: one copy for all that pack alike, and which of them a
// program may carry in the parameters' place.
#ifndef WEFT_IR_PLAN_PACKEDWEIGHTS_H
#define WEFT_IR_PLAN_PACKEDWEIGHTS_H

#include "ir/plan/Plan.h"

#include "llvm/ADT/StringSet.h"

#include <optional>
#include <string>
#include <vector>

namespace weft::plan {

/// What `prepare` of one entry or several makes, or an update in step, alike to the byte.
struct PackedWeight {
  Size bytes;
  /// The one parameter that it is made of, if there is only one.
  std::optional<llvm::StringRef> parameter;
  /// The dimensions that come with the data and decide what lies there.
  std::vector<std::string> varies;
  /// Whether a program that does not train and carries its weights carries this: in place of the
  /// parameter, or beside it where all that is packed of it has at most half of its bytes.
  bool carried = false;
};

class PackedWeights {
public:
  explicit PackedWeights(mlir::ModuleOp plan);
  llvm::ArrayRef<PackedWeight> all() const { return weights; }
  /// The numbers in all() of what an entry's `packed` lists, in its order.
  llvm::ArrayRef<unsigned> of(EntryOp entry) const { return byEntry.find(entry)->second; }
  /// Whether what is packed of a parameter is carried in its place: that is all that entries read
  /// of it, and takes no more bytes than it does.
  bool isPackedAlone(llvm::StringRef parameter) const { return alone.contains(parameter); }

private:
  llvm::StringSet<> alone;
  std::vector<PackedWeight> weights;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> byEntry;
};

} // namespace weft::plan

#endif // WEFT_IR_PLAN_PACKEDWEIGHTS_H
