// What passes remark on their way.
#include "tools/weft/base/Remarks.h"

#include "ir/model/SourceLines.h"
#include "tools/weft/base/Compilation.h"

#include "mlir/IR/Remarks.h"

#include <fmt/format.h>

namespace weft {
namespace {
class Collector : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(std::vector<Remark> &remarks) : remarks(remarks) {}

  void streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override {
    std::string place;
    if (mlir::FileLineColLoc at = model::sourceOf(remark.getLocation()))
      place = fmt::format("{}:{}", at.getFilename().str(), at.getLine());
    for (const auto &argument : remark.getArgs())
      if (argument.key == "Remark") // what was streamed into it
        remarks.push_back({remark.getFunction().str(), place, argument.val});
  }

private:
  std::vector<Remark> &remarks;
};
} // namespace

void collectRemarks(mlir::MLIRContext &context, std::vector<Remark> &remarks) {
  mlir::remark::RemarkCategories all{".*", ".*", ".*", ".*", ".*"};
  (void)mlir::remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(remarks),
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), all);
}

} // namespace weft
