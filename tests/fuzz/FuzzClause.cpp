// Any text as a `weights` clause of one program: refused with an error, or a plan in which every
// element of the program's parameters has one place, inside its tensor of the foreign file.
#include "frontend/check/Checker.h"
#include "frontend/lower/ModelBuilder.h"
#include "frontend/syntax/parse/Parser.h"
#include "frontend/weights/Plan.h"
#include "tests/fuzz/Require.h"

#include "ir/model/Dims.h"
#include "ir/model/Model.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"

#include <set>

using namespace weft;

static const char program[] = R"(
dim batch, layer, model, head, dh = model / head, role = 2, half = 2, freq = dh / half, rows = a | b, a = 2, b = 3
option base = 10000, act = relu, tied = true
entry run(x: [batch, model]) -> [batch, model] {
  repeat[layer] {
    q = q: Linear[model, (head, dh)](x)
    kv = kv: Project[model, (role, head, dh)](x)
    x = x + back: Project[(head, dh), model](q * kv[role = 0] * kv[role = 1])
    x = x + parts: Project[rows, model](concat[rows](one: Project[model, a](x), two: Project[model, b](x)))
  }
  x
}
entry table() -> [model] = index(model) * 0.5
)";

static void checkPlan(const ForeignPlan &plan, mlir::ModuleOp module) {
  model::Dims dims(module);
  std::map<std::string, std::set<int64_t>> mapped; ///< elements of each parameter
  for (const ForeignTensor &tensor : plan.tensors()) {
    int64_t size = 1;
    for (int64_t length : tensor.shape())
      size *= length;
    std::set<int64_t> covered;
    for (const ForeignPart &part : tensor.parts)
      part.forEach([&](int64_t own, int64_t foreign) {
        require(foreign >= 0 && foreign < size && covered.insert(foreign).second);
        require(mapped[part.parameter].insert(own).second);
      });
    require(static_cast<int64_t>(covered.size()) == size && !tensor.layout().empty());
  }
  for (auto parameter : module.getOps<model::ParameterOp>()) {
    int64_t count = 1;
    for (model::DimAttr dim : mlir::cast<model::NamedTensorType>(parameter.getType()).getDims())
      count *= *dims.fixed(dim);
    const std::set<int64_t> &named = mapped[parameter.getSymName().str()];
    require(static_cast<int64_t>(named.size()) == count && *named.begin() == 0 &&
            *named.rbegin() == count - 1);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  static const bool isLoaded = [] {
    context.loadDialect<model::ModelDialect, mlir::func::FuncDialect>();
    return true;
  }();
  std::string text = program + std::string("weights theirs {\n") +
                     std::string(reinterpret_cast<const char *>(data), size) + "\n}\n";
  SourceManager sources;
  Diagnostics diagnostics;
  ast::Program tree = loadProgram("/nowhere/fuzz.weft", text, sources, diagnostics);
  CheckedProgram checked = check(tree, diagnostics);
  bool isRight = isLoaded && checked;
  render(diagnostics, sources, {.colour = true});
  require(isRight || diagnostics.hasErrors());
  const ast::Weights *clause = isRight ? findWeights(tree, "theirs") : nullptr;
  if (!clause)
    return 0;
  BuildOptions options;
  options.settings.set = {{"layer", "2"}, {"model", "8"}, {"head", "2"}};
  auto module = buildModel(checked, options, sources, context, diagnostics);
  if (!module)
    return 0;
  auto plan = ForeignPlan::make(*clause, *module, diagnostics);
  require(plan.has_value() == !diagnostics.hasErrors());
  if (plan)
    checkPlan(*plan, *module);
  foreignOptions(*clause, *checked, options.settings, diagnostics);
  render(diagnostics, sources, {.colour = true});
  return 0;
}
