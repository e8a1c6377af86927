// Decodings of a compiled program, piece by piece.
#include "tools/reduce/compiled/Decoded.h"

#include "ir/model/Entries.h"
#include "runtime/generation/Generator.h"
#include "tools/arrays/ArrayMemory.h"
#include "tools/reduce/compiled/Lowered.h"
#include "tools/reduce/expected/Inputs.h"

#include <cstring>
#include <fmt/format.h>
#include <numeric>

using namespace mlir;

namespace weft::reduce {
namespace {
using reference::Array;

/// One decoding at one row of sizes.
class Continuing {
public:
  Continuing(Compiled &compiled, const runtime::Decoding &decoding, func::FuncOp entry,
             const SizeMap &sizes, uint64_t seed)
      : compiled(compiled), decoding(decoding), entry(entry), asked(sizes),
        run{entry,
            drawInputs(entry, sizes, seed),
            {},
            missingSizes(entry, sizes),
            {},
            false,
            /*roundsElsewhere=*/true},
        numbers(seed, "pieces") {}

  std::optional<std::string> wrong(const reference::NamedArrays &parameters, uint64_t seed,
                                   const std::function<std::string()> &said) {
    run.parameters = parameters;
    Expected expected = expect(run, 8, seed, said);
    if (expected.refusal || expected.outputs.size() != 1)
      return std::nullopt;
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      if (reference::inputName(entry, i) == decoding.argument)
        ids = &run.inputs[i];
    if (!ids || ids->shape.empty())
      return std::nullopt;
    // Rows of ids, each as long as the sequence, which is the last dimension that it lists or not.
    auto type = model::typeOf(entry.getArgument(number()));
    const std::string &grows = compiled.model().facts.dims[decoding.dim].name;
    if (type.getDims().back().getValue() != grows || ids->shape.size() > 2)
      return std::nullopt;
    length = ids->shape.back();
    rows = reference::countOf(ids->shape) / length;
    compiled.setParameters(parameters);
    if (keepsCachesApart())
      return pieces([&](int64_t position) { return stepTo(position, seed, said); }, said);
    return pieces([&](int64_t position) { return at(expected.outputs.front(), position); }, said);
  }

private:
  unsigned number() {
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      if (reference::inputName(entry, i) == decoding.argument)
        return i;
    return 0;
  }

  /// The numbers that are expected at one position, of each row; nothing where the interpreter
  /// refuses to say.
  using ExpectedAt = std::function<std::optional<ExpectedTensor>(int64_t position)>;

  /// The function of a step, or of what is computed once; null: there is none.
  func::FuncOp derived(bool once) {
    auto module = entry->getParentOfType<ModuleOp>();
    for (auto each : module.getOps<model::DecodingOp>())
      if (std::optional<StringRef> symbol = once ? each.getBegin() : each.getAdvance();
          symbol && each.getName() == decoding.name)
        return module.lookupSymbol<func::FuncOp>(*symbol);
    return {};
  }

  /// Whether steps keep something otherwise than the entry, of all ids at once, has it.
  bool keepsCachesApart() {
    return derived(/*once=*/false) &&
           model::cacheFormatOf(entry->getParentOfType<ModuleOp>()).has_value();
  }

  /// A run of a derived function, whose inputs are those of the entry, and `caches`, by name; all
  /// other caches are zeros. Ids are those up to `position`.
  Run runOf(func::FuncOp function, int64_t position, const reference::NamedArrays &caches) {
    SizeMap sizes = asked;
    auto name = [&](int dim) { return compiled.model().facts.dims[dim].name; };
    sizes[name(decoding.known)] = 0;
    sizes[name(decoding.fresh)] = position + 1;
    sizes[name(decoding.capacity)] = length;
    Run made{function,
             drawInputs(function, sizes, 1),
             run.parameters,
             missingSizes(function, sizes),
             {}};
    made.roundsElsewhere = true; // few ids read weights of an attention otherwise than many
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      std::string called = reference::inputName(function, i);
      Array &array = made.inputs[i];
      if (function.getArgAttr(i, model::attr::cache))
        std::visit([](auto &values) { std::ranges::fill(values, 0); }, array.data);
      if (auto cache = caches.find(called); cache != caches.end())
        array = cache->second;
      for (unsigned j = 0; j < entry.getNumArguments(); ++j)
        if (reference::inputName(entry, j) == called && called != decoding.argument)
          array = run.inputs[j];
      if (called == decoding.argument)
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t id = 0; id <= position; ++id)
            std::get<reference::Wholes>(array.data)[row * (position + 1) + id] =
                ids->wholes()[row * length + id];
    }
    return made;
  }

  /// What one step from nothing to a position gives, as its kernels round.
  std::optional<ExpectedTensor> stepTo(int64_t position, uint64_t seed,
                                       const std::function<std::string()> &said) {
    reference::NamedArrays caches;
    func::FuncOp once = derived(/*once=*/true);
    if (once) {
      auto computed = interpret(runOf(once, position, {}), nullptr);
      if (failed(computed))
        return std::nullopt;
      for (auto [i, array] : llvm::enumerate(*computed))
        caches[reference::outputName(once, i)] = array;
    }
    Expected expected = expect(runOf(derived(false), position, caches), 8, seed, said);
    if (expected.refusal)
      return std::nullopt;
    ExpectedTensor logits = expected.outputs.front();
    logits.exact.shape = {int64_t(logits.allowed.size())};
    constexpr double more = 8; // what is computed once was not shaken
    for (double &each : logits.allowed)
      each *= once ? more : 1;
    return logits;
  }

  std::optional<std::string> pieces(const ExpectedAt &wanted,
                                    const std::function<std::string()> &said) {
    auto generator = runtime::Generator::create(compiled.model(), decoding, length, rows);
    if (!generator)
      return "no generator: " + generator.error().message;
    for (const runtime::Argument &input : runtime::givenInputsOf(compiled.model().facts, decoding))
      for (unsigned i = 0; i < entry.getNumArguments(); ++i)
        if (reference::inputName(entry, i) == input.name) {
          const Array &array = run.inputs[i];
          runtime::GivenInput value{{array.shape.begin(), array.shape.end()}, {}};
          value.data.resize(reference::countOf(array.shape) * runtime::bytesOf(input.element));
          storeArray(array, input.element, value.data.data());
          if (auto status = generator->give(input.name, std::move(value)); !status)
            return "input " + input.name + ": " + status.error().message;
        }
    for (int64_t known = 0; known < length;) {
      // Never all at once: then nothing would be continued.
      int64_t most = known == 0 ? std::max<int64_t>(length - 1, 1) : length - known;
      int64_t fresh = numbers.chance(0.5) ? 1 : 1 + int64_t(numbers.below(most));
      auto logits = generator->advance(idsFrom(known, fresh));
      if (!logits)
        return fmt::format("{} ids after {} are refused: {}", fresh, known, logits.error().message);
      known += fresh;
      std::optional<ExpectedTensor> here = wanted(known - 1);
      if (!here)
        return fmt::format("the interpreter refuses {} ids at once: {}", known, said());
      if (auto problem = compare(*here, *logits))
        return fmt::format("position {}, as the last of {} new: {}", known - 1, fresh, *problem);
      if (auto problem = sideBySide(*generator, known))
        return problem;
    }
    return std::nullopt;
  }

  /// Ids of all rows from a position on, row after row.
  std::vector<int32_t> idsFrom(int64_t position, int64_t count) const {
    std::vector<int32_t> taken;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < count; ++i)
        taken.push_back(int32_t(ids->wholes()[row * length + position + i]));
    return taken;
  }

  /// Steps side by side (of a device one after the other), also of a generator that knows more than
  /// the other, give, to the bit, what they give one by one; some of them stay known.
  std::optional<std::string> sideBySide(runtime::Generator &generator, int64_t &known) {
    // Of a running total there is one at a time.
    int64_t most = generator.checkSideBySide() ? 2 + int64_t(numbers.below(4)) : 1;
    int64_t count = std::min(length - known, most);
    if (count < 1 || !numbers.chance(0.6))
      return std::nullopt;
    std::vector<int64_t> same(rows);
    std::iota(same.begin(), same.end(), 0);
    auto ahead = generator.branch(same);
    if (!ahead)
      return "no branch: " + ahead.error().message;
    std::vector<std::vector<float>> wanted;
    if (auto problem = oneByOne(*ahead, count, wanted))
      return problem;
    std::vector<int32_t> taken = idsFrom(known, count), next;
    std::vector<runtime::Generator::Turn> turns = {{&generator, taken}};
    if (known + count < length) {
      auto further = ahead->branch(same);
      if (!further)
        return "no branch: " + further.error().message;
      if (auto problem = oneByOne(*further, 1, wanted))
        return problem;
      next = idsFrom(known + count, 1);
      turns.push_back({&*ahead, next});
    }
    auto found = runtime::Generator::advanceTogether(turns);
    if (!found)
      return fmt::format("{} steps after {} are refused: {}", count, known, found.error().message);
    if (!compiled.model().device && !generator.wentSideBySide())
      return fmt::format("{} steps after {} did not go side by side", count, known);
    std::vector<std::span<const float>> all;
    for (const runtime::Generator::EachLogits &each : *found)
      all.insert(all.end(), each.begin(), each.end());
    for (size_t i = 0; i < wanted.size(); ++i)
      if (memcmp(all[i].data(), wanted[i].data(), wanted[i].size() * sizeof(float)))
        return fmt::format("step {} of {}, and one of another generator, side by side after {} has "
                           "other bits",
                           i, count, known);
    known += generator.checkSideBySide() ? int64_t(numbers.below(count + 1)) : count;
    if (auto status = generator.rewind(known); !status)
      return "going back: " + status.error().message;
    return std::nullopt;
  }

  /// The logits after each of `count` further ids, taken in by themselves.
  std::optional<std::string> oneByOne(runtime::Generator &generator, int64_t count,
                                      std::vector<std::vector<float>> &all) const {
    for (int64_t i = 0; i < count; ++i) {
      auto logits = generator.advance(idsFrom(generator.known(), 1));
      if (!logits)
        return fmt::format("an id after {} is refused: {}", generator.known(),
                           logits.error().message);
      all.emplace_back(logits->begin(), logits->end());
    }
    return std::nullopt;
  }

  /// The numbers at one position, of each row.
  ExpectedTensor at(const ExpectedTensor &all, int64_t position) {
    auto type = llvm::cast<model::NamedTensorType>(entry.getResultTypes()[0]);
    const std::string &grows = compiled.model().facts.dims[decoding.dim].name;
    ExpectedTensor here{all.name, {}, {}, {}};
    reference::Floats wanted;
    for (size_t i = 0; i < all.allowed.size(); ++i) {
      size_t left = i;
      bool isHere = true;
      for (size_t d = type.getDims().size(); d-- > 0;) {
        size_t size = all.exact.shape[d];
        isHere &= type.getDims()[d].getValue() != grows || int64_t(left % size) == position;
        left /= size;
      }
      if (isHere) {
        wanted.push_back(all.exact.floats()[i]);
        here.allowed.push_back(all.allowed[i]);
      }
    }
    here.exact = {{int64_t(wanted.size())}, std::move(wanted)};
    return here;
  }

  static std::optional<std::string> compare(const ExpectedTensor &wanted,
                                            std::span<const float> logits) {
    reference::Floats got(logits.begin(), logits.end());
    if (wanted.allowed.size() != got.size())
      return fmt::format("{} numbers, expected {}", got.size(), wanted.allowed.size());
    return wanted.differs({{int64_t(got.size())}, std::move(got)}, 2);
  }

  Compiled &compiled;
  const runtime::Decoding &decoding;
  func::FuncOp entry;
  SizeMap asked;
  Run run;
  Numbers numbers;
  const Array *ids = nullptr;
  int64_t length = 0, rows = 1;
};
} // namespace

std::optional<std::string> decodesWrongly(Compiled &compiled, ModuleOp model,
                                          const std::vector<SizeMap> &sizes, uint64_t seed,
                                          const std::function<std::string()> &said) {
  for (const runtime::Decoding &decoding : compiled.model().facts.decodings) {
    func::FuncOp entry;
    for (auto each : model.getOps<weft::model::DecodingOp>())
      if (each.getName() == decoding.name)
        entry = model.lookupSymbol<func::FuncOp>(each.getEntry());
    if (!entry)
      continue;
    reference::NamedArrays parameters = drawParameters(model, seed);
    for (const SizeMap &row : sizes)
      if (auto wrong =
              Continuing(compiled, decoding, entry, row, seed).wrong(parameters, seed, said))
        return "decoding `" + decoding.name + "`: " + *wrong;
  }
  return std::nullopt;
}

} // namespace weft::reduce
