// Runs of the interpreter, and the measure of their rounding.
#include "tools/reduce/expected/Expected.h"

#include "ir/model/Bfloat16.h"
#include "ir/model/Entries.h"
#include "tools/kernel/storage/StoredRounding.h"
#include "tools/reduce/expected/Inputs.h"
#include "tools/reduce/expected/OpError.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace mlir;

namespace weft::reduce {

using reference::Array;
using reference::Floats;

namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();

/// What is not finite behind the mask of an attention, or a bias of -inf, reaches a result as NaN,
/// or not at all. In the source of an attention (`hides`) that is a product with weights of 0.
bool mayBeSkipped(Operation *op, bool hides) {
  if (auto attention = dyn_cast<model::AttentionOp>(op))
    return attention.getMask() || attention.getBias();
  if (auto gradient = dyn_cast<model::AttentionGradOp>(op))
    return gradient.getMask() || gradient.getBias();
  return hides && isa<model::MulOp>(op);
}

/// Rounds and shakes what an op gave. Small numbers are sometimes flushed to 0, as programs do, and
/// what may be skipped sometimes is.
void shake(OpResult value, ArrayRef<reference::Tensor> operands, Array &array, Numbers &numbers,
           bool flushes, bool rounds, bool skips) {
  auto *values = std::get_if<Floats>(&array.data);
  if (!values || !isa<model::ModelDialect>(value.getOwner()->getDialect()))
    return;
  Error error = errorOf(value.getOwner(), operands, array);
  auto applied = dyn_cast<model::FloatFunctionOp>(value.getOwner());
  for (double &each : *values) {
    if (!std::isfinite(each)) {
      each = skips ? 0 : each;
      continue;
    }
    double relative = error.relative * (2 * numbers.unit() - 1);
    double absolute = error.absolute * (2 * numbers.unit() - 1);
    // Rounded alone, what cancels in f32 does: 1 + erf(-6) is 0.
    each = static_cast<float>(rounds ? each : each * (1 + relative) + absolute);
    if (applied) // often the end itself, which comparisons tell from what is beside it
      each = std::clamp(each, applied.function().least, applied.function().most);
    if (flushes && std::abs(each) < 0x1p-126)
      each = 0;
  }
}

/// What a kernel leaves of a result in memory, if it stores it as bfloat16. A number that f32 may
/// have on either side of the middle between two of these becomes either, as often as the other: by
/// their own roundings a few runs would hardly meet it. `elsewhere`: off by as much as a rounding.
void store(OpResult value, Array &array, Numbers &numbers, bool elsewhere) {
  // What narrow weights of some tens of keys make of a result (errorOf) decides far more of them.
  bool isNarrow = false;
  value.getOwner()->walk(
      [&](model::AttentionOp attention) { isNarrow |= attention.getNarrowWeights(); });
  const double undecided = isNarrow ? model::bfloat16Roundoff / 8 : 32 * ulp;
  if (!trial::isStoredNarrower(value))
    return;
  auto &values = std::get<Floats>(array.data);
  auto side = [&](double far) { return numbers.chance(0.5) ? 1 + far : 1 - far; };
  // Of so many elements some lie between two numbers, and what one of them becomes at the first
  // positions hangs on in all others: a few in each run are moved to either.
  if (std::optional<trial::GroupedRows> rows = trial::groupedRows(value, array)) {
    for (double &each : values)
      each *= side(2e-5);
    return rows->round(values);
  }
  // Weights are what they are, and so is what they are rounded to.
  if (std::optional<trial::GroupedWeights> groups = trial::groupedWeights(value, array)) {
    auto draw = [&] { return 2 * numbers.unit() - 1; };
    return elsewhere ? groups->round(values, draw) : groups->round(values);
  }
  for (double &each : values) {
    if (elsewhere)
      each *= 1 + model::bfloat16Roundoff * (2 * numbers.unit() - 1);
    each = model::roundedToBfloat16(each * side(undecided));
  }
}

/// What one more shaken run says about a tensor.
void widen(ExpectedTensor &tensor, const Array &shaken) {
  std::visit(
      [&](const auto &exact) {
        using Elements = std::decay_t<decltype(exact)>;
        const Elements &moved = shaken.as<Elements>();
        for (size_t i = 0; i < exact.size(); ++i) {
          if constexpr (std::is_same_v<Elements, Floats>) {
            bool same = exact[i] == moved[i] || (std::isnan(exact[i]) && std::isnan(moved[i]));
            double far = std::abs(exact[i] - moved[i]);
            tensor.moved[i] = same ? tensor.moved[i]
                                   : std::max(tensor.moved[i], std::isfinite(far) ? far : infinite);
          } else if (exact[i] != moved[i]) {
            tensor.moved[i] = infinite;
          }
        }
      },
      tensor.exact.data);
}

/// Four draws say little about one element, more about all of a tensor: an element is allowed what
/// it moved by eight times, and what elements of its tensor move by on average, twice.
void settle(ExpectedTensor &tensor) {
  tensor.allowed = tensor.moved;
  auto *exact = std::get_if<Floats>(&tensor.exact.data);
  if (!exact)
    return;
  double sum = 0;
  size_t finite = 0;
  for (double each : tensor.allowed)
    if (std::isfinite(each)) {
      sum += each;
      ++finite;
    }
  double mean = finite ? sum / double(finite) : 0;
  for (size_t i = 0; i < exact->size(); ++i) {
    // Below this, factors of what is still a float were none, and digits were lost on the way.
    constexpr double vanishing = 1e-30;
    double least = std::isfinite((*exact)[i]) ? 2 * ulp * std::abs((*exact)[i]) + vanishing : 0;
    tensor.allowed[i] = 8 * tensor.allowed[i] + 2 * mean + least;
  }
}

std::string place(ArrayRef<int64_t> shape, size_t at) {
  std::string text;
  for (size_t i = shape.size(); i-- > 0; at /= size_t(shape[i]))
    text = std::to_string(int64_t(at) % shape[i]) + (text.empty() ? "" : ", ") + text;
  return shape.empty() ? "" : " at [" + text + "]";
}
} // namespace

std::optional<std::string> ExpectedTensor::differs(const Array &found, double margin) const {
  if (found.shape != exact.shape || found.data.index() != exact.data.index())
    return fmt::format("`{}` has another shape or element", name);
  double worst = 1, decided = 1e-3 * largest(exact);
  size_t at = 0, wrong = 0;
  // What moves as far as this does not by rounding, but by what a rounding decides: all or nothing.
  auto room = [&](size_t i) {
    return allowed[i] * (allowed[i] > decided ? std::max(margin, 1.0) : margin);
  };
  auto look = [&](size_t i, double wanted, double got) {
    if (wanted == got || (std::isnan(wanted) && std::isnan(got)) || allowed[i] == infinite)
      return;
    // Beyond f32 there is infinity.
    if (std::isinf(got) && std::abs(wanted) > 3e38 && (got > 0) == (wanted > 0))
      return;
    double far = std::abs(wanted - got) / std::max(room(i), 1e-300);
    if (far <= 1)
      return;
    ++wrong;
    if (!(far <= worst)) {
      worst = std::isnan(far) ? infinite : far;
      at = i;
    }
  };
  std::string values;
  std::visit(
      [&](const auto &wanted) {
        const auto &got = found.as<std::decay_t<decltype(wanted)>>();
        for (size_t i = 0; i < wanted.size(); ++i)
          look(i, double(wanted[i]), double(got[i]));
        if (wrong)
          values = fmt::format("{} instead of {}", got[at], wanted[at]);
      },
      exact.data);
  if (!wrong)
    return std::nullopt;
  return fmt::format("`{}`{} is {}, allowed {:.2g}; {} of {} elements are wrong", name,
                     place(exact.shape, at), values, room(at), wrong, allowed.size());
}

void ExpectedTensor::count(Verdict &verdict) const {
  const auto *floats = std::get_if<Floats>(&exact.data);
  double most = std::max(largest(exact), 1e-30);
  for (double each : allowed) {
    ++verdict.compared;
    verdict.blind += each == infinite || (floats && each > 0.05 * most);
  }
}

static FailureOr<std::vector<Array>> runOnce(const Run &run, reference::Observer observer,
                                             reference::NamedArrays *parameters,
                                             const reference::NarrowWeights &narrow = {}) {
  reference::Interpreter interpreter(run.function->getParentOfType<ModuleOp>(), run.sizes);
  interpreter.setRandom(run.random);
  interpreter.setNarrowWeights(narrow);
  if (observer)
    interpreter.observe(std::move(observer));
  for (auto &[name, value] : run.parameters)
    if (failed(interpreter.setParameter(name, value)))
      return failure();
  auto outputs = interpreter.run(run.function.getSymName(), run.inputs);
  if (succeeded(outputs) && parameters)
    for (auto &[name, value] : run.parameters)
      (*parameters)[name] = *interpreter.parameter(name);
  return outputs;
}

FailureOr<std::vector<Array>> interpret(const Run &run, reference::NamedArrays *parameters) {
  auto asStored = [](OpResult value, ArrayRef<reference::Tensor>, Array &array) {
    trial::roundAsStored(value, array);
  };
  return runOnce(run, asStored, parameters);
}

Expected expect(const Run &run, unsigned shakes, uint64_t seed,
                const std::function<std::string()> &said) {
  Expected expected;
  reference::NamedArrays after;
  auto exact = interpret(run, &after);
  if (failed(exact)) {
    expected.refusal = said();
    return expected;
  }
  auto add = [](std::vector<ExpectedTensor> &to, std::string name, Array array) {
    size_t count = reference::countOf(array.shape);
    to.push_back({std::move(name), std::move(array), std::vector<double>(count, 0), {}});
  };
  for (auto [i, array] : llvm::enumerate(*exact)) {
    auto of = run.function.getResultAttrOfType<StringAttr>(i, model::attr::gradientOf);
    add(expected.outputs, of ? "gradient of " + of.str() : reference::outputName(run.function, i),
        array);
  }
  for (auto &[name, value] : run.parameters)
    if (!(after[name] == value))
      add(expected.parameters, name.str(), after[name]);
  shakeMore(expected, run, shakes, seed, said);
  return expected;
}

void shakeMore(Expected &expected, const Run &run, unsigned shakes, uint64_t seed,
               const std::function<std::string()> &said) {
  for (unsigned i = 0; i < shakes; ++i) {
    Numbers numbers(seed + i, "rounding");
    reference::NamedArrays moved;
    // Kernels round weights relative to the highest score so far, so that any may be on a border.
    reference::NarrowWeights narrow;
    narrow.round = [&](double weight) {
      double factor = 1 + numbers.unit();
      return model::roundedToBfloat16(weight * factor) / factor;
    };
    auto shaken = runOnce(
        run,
        [&](OpResult value, ArrayRef<reference::Tensor> operands, Array &array) {
          // What is infinite because numbers were flushed is also met as it is.
          bool skips = i % 4 == 1 && mayBeSkipped(value.getOwner(), run.hides);
          shake(value, operands, array, numbers, i % 2, i == 0, skips);
          store(value, array, numbers, run.roundsElsewhere);
        },
        &moved, narrow);
    if (failed(shaken)) { // a size of the data's is decided by a rounding
      for (auto *list : {&expected.outputs, &expected.parameters})
        for (ExpectedTensor &tensor : *list)
          llvm::fill(tensor.moved, infinite);
      (void)said();
      break;
    }
    for (auto [tensor, array] : llvm::zip_equal(expected.outputs, *shaken))
      widen(tensor, array);
    for (ExpectedTensor &tensor : expected.parameters)
      widen(tensor, moved[tensor.name]);
  }
  for (auto *list : {&expected.outputs, &expected.parameters})
    for (ExpectedTensor &tensor : *list)
      settle(tensor);
}

} // namespace weft::reduce
