// Numbered dumps of the passes that changed something.
#include "tools/weft/base/EachPass.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/Pass.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace weft {

void EachPass::write(Operation *module, const std::string &name) {
  if (broken)
    return;
  if (std::error_code problem = llvm::sys::fs::create_directories(folder))
    return fail(folder, problem);
  std::string path = llvm::formatv("{0}/{1,0+2}-{2}.mlir", folder, ++number, name).str();
  std::vector<runtime::NamedOutput> outputs = others;
  outputs.push_back({"each-pass", path});
  if (runtime::Status kept = runtime::ReadFiles::checkOutputs(outputs); !kept) {
    llvm::errs() << "weft: " << kept.error().message << '\n';
    broken = true;
    return;
  }
  std::error_code problem;
  llvm::raw_fd_ostream out(path, problem);
  if (problem)
    return fail(path, problem);
  module->print(out, OpPrintingFlags().useLocalScope().printNameLocAsPrefix());
  out.close();
  if (out.has_error())
    fail(path, out.error());
  out.clear_error();
}

void EachPass::fail(const std::string &path, std::error_code problem) {
  llvm::errs() << "weft: cannot write `" << path << "`: " << problem.message() << '\n';
  broken = true;
}

namespace {
class Watch : public PassInstrumentation {
public:
  Watch(EachPass &dumps, std::string stage) : dumps(dumps), stage(std::move(stage)) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (isa<ModuleOp>(op))
      before.emplace(op);
    else
      nested = pass->getArgument();
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isa<ModuleOp>(op) || !before || *before == OperationFingerPrint(op))
      return;
    // What runs on entries is called on the module without a name.
    llvm::StringRef name = pass->getArgument().empty() ? nested : pass->getArgument();
    name.consume_front("weft-");
    dumps.write(op, stage + "-" + name.str());
  }

private:
  EachPass &dumps;
  std::string stage;
  llvm::StringRef nested;
  std::optional<OperationFingerPrint> before;
};
} // namespace

std::unique_ptr<PassInstrumentation> EachPass::watch(std::string stage) {
  return std::make_unique<Watch>(*this, std::move(stage));
}

} // namespace weft
