// The target `c`: one readable file of C a program, for machines that no other target supports.
#include "codegen/Target.h"
#include "codegen/c/Program.h"

#include <memory>

namespace weft {
namespace {

class CTarget : public Target {
public:
  llvm::StringRef name() const override { return "c"; }
  llvm::ArrayRef<llvm::StringRef> passesLeftOut() const override { return leftOut; }
  llvm::StringRef schedules() const override { return ""; }
  llvm::ArrayRef<model::StorageType> storageTypes() const override { return types; }
  llvm::ArrayRef<llvm::StringRef> instructionSets() const override { return sets; }
  llvm::ArrayRef<llvm::StringRef> texts() const override { return forms; }

  mlir::FailureOr<LoweredCode> lower(mlir::ModuleOp plan, llvm::StringRef form,
                                     llvm::ArrayRef<std::string>, CodeEffort effort,
                                     const ProgramSymbols &symbols) const override {
    mlir::FailureOr<std::string> text = c::emitProgram(plan, symbols);
    if (failed(text))
      return mlir::failure();
    struct Making {
      std::string text;
      EmittedCode code{"program", {}};
      std::optional<std::string> problem;
    };
    auto making = std::make_shared<Making>();
    making->text = std::move(*text);
    LoweredCode lowered;
    if (form != objectForm)
      making->code.bytes.append(making->text.begin(), making->text.end());
    else
      lowered.jobs.push_back([making, effort] {
        making->problem = c::compile(making->text, effort == CodeEffort::full, making->code.bytes);
      });
    lowered.finish = [making, plan]() mutable -> mlir::FailureOr<std::vector<EmittedCode>> {
      if (making->problem)
        return plan.emitError(*making->problem), mlir::failure();
      return std::vector{std::move(making->code)};
    };
    return lowered;
  }

private:
  static constexpr model::StorageType types[] = {
      model::StorageType::float32, model::StorageType::int32, model::StorageType::byte};
  static constexpr llvm::StringRef leftOut[] = {"weft-pack-operands", "weft-choose-schedules"},
                                   sets[] = {"portable"}, forms[] = {"c"};
};

} // namespace

const Target &cTarget() {
  static const CTarget target;
  return target;
}

} // namespace weft
