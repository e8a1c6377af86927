// Which lines of the user's an op comes from.
#include "ir/model/SourceLines.h"

#include "mlir/IR/Operation.h"

namespace weft::model {

static bool isOfTheLibrary(mlir::FileLineColLoc place) {
  return place.getFilename().getValue().starts_with("library/");
}

mlir::FileLineColLoc sourceOf(mlir::Location at) {
  mlir::FileLineColLoc found;
  at->walk([&](mlir::Location each) {
    auto place = llvm::dyn_cast<mlir::FileLineColLoc>(each);
    // Call sites are walked from the inside out: the first place that is not in the library is the
    // user's own line.
    if (place && (!found || isOfTheLibrary(found)))
      found = place;
    return mlir::WalkResult::advance();
  });
  return found;
}

std::set<unsigned> linesOf(mlir::Region &region) {
  std::set<unsigned> lines;
  region.walk([&](mlir::Operation *inner) {
    mlir::FileLineColLoc found = sourceOf(inner->getLoc());
    if (found && !isOfTheLibrary(found))
      lines.insert(found.getLine());
  });
  return lines;
}

} // namespace weft::model
