// Every case of the record with floats stored as bfloat16, or with the weights of WEFT_TEST_WEIGHTS
// as whole numbers (as `--weights-as` takes them), forward and backward: against the
// interpreter, which rounds where kernels store; and how far both are from what is written, in
// parts of a tensor's largest element.
#include "Compiled.h"
#include "Largest.h"
#include "passes/Pipeline.h"
#include "tests/frontend/lower/Probes.h"
#include "tests/record/RecordedData.h"
#include "tools/reduce/expected/Expected.h"

#include "ir/model/Bfloat16.h"
#include "ir/model/Entries.h"
#include "ir/model/weights/WeightsAs.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>

using namespace mlir;
using namespace weft;
using namespace weft::test;
using reference::Array;

namespace {

constexpr unsigned shakes = 4, moreShakes = 24;

/// Which weights are whole numbers, while floats stay float32; empty: none, and floats are
/// bfloat16.
std::string weights() {
  const char *asked = getenv("WEFT_TEST_WEIGHTS");
  return asked ? asked : "";
}

class RecordNarrow : public AgainstRecord<testing::TestWithParam<System>> {
protected:
  RecordNarrow() : AgainstRecord("seeds") {}

  void compare(Compiled &compiled, Prepared &prepared, ModuleOp kernels, const std::string &symbol,
               const std::string &kind);
};

reduce::Run runOf(ModuleOp module, const std::string &symbol, const Prepared &prepared) {
  reduce::Run run{module.lookupSymbol<func::FuncOp>(symbol), {}, prepared.parameters, {}, {}};
  for (unsigned i = 0; i < run.function.getNumArguments(); ++i)
    run.inputs.push_back(prepared.inputs.lookup(reference::inputName(run.function, i)));
  return run;
}

/// The largest magnitude of an element, and the largest distance from `found`. What fills a mask is
/// left out.
std::pair<double, double> farthest(const Array &exact, const Array &found) {
  auto *values = std::get_if<reference::Floats>(&exact.data);
  double most = 0, far = 0;
  for (size_t i = 0; values && i < values->size(); ++i)
    if (std::isfinite((*values)[i]) && std::abs((*values)[i]) < 1e6) {
      most = std::max(most, std::abs((*values)[i]));
      far = std::max(far, std::abs((*values)[i] - found.floats()[i]));
    }
  return {most, far};
}

/// Draws seldom meet the largest error of the last rounding, which is known.
void addLastRounding(reduce::ExpectedTensor &tensor) {
  for (auto [allowed, x] : llvm::zip_equal(tensor.allowed, tensor.exact.floats()))
    allowed += model::bfloat16Roundoff * std::abs(x);
}

void RecordNarrow::compare(Compiled &compiled, Prepared &prepared, ModuleOp kernels,
                           const std::string &symbol, const std::string &kind) {
  auto said = [&] { return std::exchange(prepared.problem, ""); };
  reduce::Run run = runOf(kernels, symbol, prepared);
  ASSERT_TRUE(run.function) << symbol;
  reduce::Expected expected = reduce::expect(run, shakes, 1, said);
  ASSERT_FALSE(expected.refusal) << *expected.refusal;
  compiled.setParameters(prepared.parameters);
  reference::NamedArrays found =
      compiled.run(model::publicName(run.function).str(), prepared.inputs);

  // What is written, in float64, and by how much stored values that are off by a rounding move it.
  auto written = reduce::interpret(runOf(*prepared.module, symbol, prepared), nullptr);
  ASSERT_TRUE(succeeded(written));
  run.roundsElsewhere = true;
  reduce::Expected bound = reduce::expect(run, shakes, 2, said);
  run.roundsElsewhere = false;

  double group = 0; // a gradient may be nothing beside the others, the bias of keys for one
  for (const Array &each : *written)
    group = std::max(group, farthest(each, each).first);
  for (auto [i, tensor] : llvm::enumerate(expected.outputs)) {
    auto of = run.function.getResultAttrOfType<StringAttr>(i, model::attr::gradientOf);
    std::string name = of ? of.str() : reference::outputName(run.function, i);
    ASSERT_TRUE(found.contains(name)) << name;
    if (tensor.differs(found[name]))
      reduce::shakeMore(expected, run, moreShakes, 100, said);
    std::optional<std::string> wrong = tensor.differs(found[name]);
    EXPECT_FALSE(wrong) << symbol << ": " << *wrong;
    if (!std::holds_alternative<reference::Floats>(tensor.exact.data))
      continue;
    // Few draws seldom meet all that a rounding turns around behind a relu.
    auto near = [&] {
      reduce::ExpectedTensor tensor = bound.outputs[i];
      if (weights().empty())
        addLastRounding(tensor);
      return tensor;
    };
    if (near().differs((*written)[i])) {
      run.roundsElsewhere = true;
      reduce::shakeMore(bound, run, moreShakes, 200, said);
      run.roundsElsewhere = false;
    }
    EXPECT_FALSE(near().differs((*written)[i]))
        << symbol << ", from what is written: " << *near().differs((*written)[i]);
    auto [most, far] = farthest((*written)[i], tensor.exact);
    largest().add(kind, far / std::max({most, 0.01 * group, 1e-30}),
                  fmt::format("{} {}", GetParam().file, name), GetParam().program);
  }
}

TEST_P(RecordNarrow, IsWhatTheInterpreterStores) {
  const System &system = GetParam();
  Tensors tensors = tensorsOf(system);
  Prepared prepared(system, tensors);
  ASSERT_EQ(prepared.problem, "");
  if (!prepared.function)
    GTEST_SKIP() << "the entry is derived";
  std::string symbol = prepared.function.getSymName().str();
  std::vector<std::string> gradientsOf;
  if (hasGradients(system, tensors)) {
    if (system.compared.front().recorded.front() != "loss") {
      symbol = addProbe(prepared.function);
      prepared.inputs["probe"] = tensors.at("in.probe");
    }
    gradientsOf.push_back(symbol);
  }
  ASSERT_TRUE(prepared.lower(gradientsOf)) << prepared.problem;
  OwningOpRef<ModuleOp> kernels = prepared.module->clone(), planned = prepared.module->clone();
  for (ModuleOp module : {*kernels, *planned})
    if (weights().empty())
      model::setPrecision(module, model::Precision::bf16);
    else
      module->setAttr(model::attr::weights, StringAttr::get(module.getContext(), weights()));
  PassManager manager(&prepared.context);
  for (const char *stage : {"fused", "kernel"}) // as they are compiled below
    ASSERT_TRUE(
        succeeded(addStage(manager, stage, {.notForTarget = targets().front()->passesLeftOut()})));
  ASSERT_TRUE(succeeded(manager.run(*kernels))) << prepared.problem;
  try {
    Compiled compiled(*planned);
    compare(compiled, prepared, *kernels, symbol, "outputs");
    if (!gradientsOf.empty())
      compare(compiled, prepared, *kernels, symbol + ".gradient", "gradients");
    largest().addFile(system.file);
  } catch (const std::exception &problem) {
    FAIL() << problem.what() << "\n" << prepared.problem;
  }
}

/// Those of full size are too much for the interpreter, many times over.
std::vector<System> small() {
  std::vector<System> list;
  for (const System &system : systems())
    if (!llvm::StringRef(system.file).contains("full"))
      list.push_back(system);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Systems, RecordNarrow, testing::ValuesIn(small()),
                         [](const auto &info) { return testName(info.param, info.index); });

} // namespace
