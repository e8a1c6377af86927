// Why two kernels are not one: collected while a fusion tries, reported when it is done.
#ifndef WEFT_PASSES_FUSED_REFUSALS_H
#define WEFT_PASSES_FUSED_REFUSALS_H

#include "passes/fused/Groups.h"

namespace weft {

class Refusals {
public:
  void add(mlir::Operation *producer, mlir::Operation *user, std::string why) {
    if (!why.empty())
      refusals.push_back({producer, user, std::move(why)});
  }

  /// A remark for each pair that is still apart, once for each pair of kernels and reason.
  void report(const Groups &groups, llvm::StringRef pass) const;

private:
  struct Refusal {
    mlir::Operation *producer, *user;
    std::string why;
  };
  std::vector<Refusal> refusals;
};

} // namespace weft

#endif // WEFT_PASSES_FUSED_REFUSALS_H
