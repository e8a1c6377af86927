// Decode: any cut of the positions gives what the whole entry gives; a program that looks ahead is
// never accepted.
#include "tests/passes/model/Compiled.h"

#include "ir/model/Arithmetic.h"
#include "ir/model/Comparisons.h"
#include "ir/model/Dims.h"
#include "ir/model/Entries.h"
#include "passes/model/decode/Causality.h"

#include <chrono>
#include <cmath>
#include <iostream>

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

namespace {

DimAttr dim(const char *name) {
  return DimAttr::get(&testContext(), name);
}

/// The logits of a model, to be continued along `seq`.
class Continued {
public:
  Continued(const std::string &file, const std::string &idioms, const char *argument = "tokens",
            const char *along = "seq") {
    module = compiled(file, "cse");
    for (auto other : llvm::make_early_inc_range(module->getOps<DecodingOp>()))
      other.erase();
    auto builder = OpBuilder::atBlockEnd(module->getBody());
    auto text = [&](const char *value) { return builder.getStringAttr(value); };
    DecodingOp::create(builder, module->getLoc(), text("generate"), text("logits"), text(argument),
                       dim(along), IntegerAttr(), IntegerAttr(), FlatSymbolRefAttr(), DimAttr(),
                       DimAttr(), DimAttr(), FlatSymbolRefAttr());
    PassManager manager(&testContext());
    good = succeeded(
               parsePassPipeline(idioms + "weft-decode{every=true},canonicalize,cse", manager)) &&
           succeeded(manager.run(*module));
    Numbers numbers(11);
    for (auto parameter : module->getOps<ParameterOp>()) {
      Array array;
      for (DimAttr dim : parameter.getTensor().getDims())
        array.shape.push_back(*Dims(*module).fixed(dim));
      Floats values(countOf(array.shape));
      for (double &each : values)
        each = numbers.between(-0.5, 0.5);
      array.data = values;
      parameters[parameter.getSymName().str()] = array;
    }
  }

  std::vector<Array> run(StringRef entry, std::vector<Array> inputs,
                         llvm::StringMap<int64_t> sizes) {
    Interpreter interpreter(*module, sizes);
    for (auto &[name, value] : parameters)
      EXPECT_TRUE(succeeded(interpreter.setParameter(name, value)));
    auto results = interpreter.run(entry, inputs);
    EXPECT_TRUE(succeeded(results));
    return succeeded(results) ? *results : std::vector<Array>();
  }

  /// Caches of `entry`, at these sizes; what is read before it is written shows.
  std::vector<Array> emptyCaches(StringRef entry, const llvm::StringMap<int64_t> &sizes) {
    std::vector<Array> caches;
    auto function = module->lookupSymbol<func::FuncOp>(entry);
    for (BlockArgument argument : function.getArguments()) {
      if (!function.getArgAttr(argument.getArgNumber(), attr::cache))
        continue;
      Array array;
      for (DimAttr dim : typeOf(argument).getDims())
        array.shape.push_back(sizes.contains(dim) ? sizes.lookup(dim) : *Dims(*module).fixed(dim));
      if (typeOf(argument).isFloat())
        array.data = Floats(countOf(array.shape), std::nan(""));
      else
        array.data = Wholes(countOf(array.shape), -1);
      caches.push_back(array);
    }
    return caches;
  }

  OwningOpRef<ModuleOp> module;
  std::map<std::string, Array> parameters;
  bool good = false;
};

Array columns(const Array &ids, int64_t begin, int64_t end) {
  int64_t batch = ids.shape[0], length = ids.shape[1];
  Array result;
  result.shape = {batch, end - begin};
  Wholes data;
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = begin; i < end; ++i)
      data.push_back(ids.wholes()[b * length + i]);
  result.data = data;
  return result;
}

const std::string formed = llvm::join(recognizers(), ",") + ",";

struct Case {
  const char *name, *file;
  std::string idioms;
  size_t caches; ///< keys and values, as a rule
};

void PrintTo(const Case &model, std::ostream *out) {
  *out << model.name;
}

class AnyCut : public testing::TestWithParam<Case> {};

TEST_P(AnyCut, GivesTheLogitsOfTheEntry) {
  Continued model(GetParam().file, GetParam().idioms);
  ASSERT_TRUE(model.good);
  constexpr int64_t batch = 2, length = 9, capacity = 12;
  Numbers numbers(3);
  Array ids;
  ids.shape = {batch, length};
  Wholes data(batch * length);
  for (int64_t &each : data)
    each = numbers.below(50);
  ids.data = data;
  Array whole = model.run("logits", {ids}, {})[0];
  int64_t vocab = whole.shape[2];
  for (int round = 0; round < 6; ++round) {
    std::vector<Array> caches =
        model.emptyCaches("generate.advance", {{"batch", batch}, {"capacity", capacity}});
    EXPECT_EQ(caches.size(), GetParam().caches);
    for (int64_t known = 0; known < length;) {
      // All at once, one by one, then any pieces.
      int64_t fresh = round == 0 ? length : round == 1 ? 1 : 1 + numbers.below(length - known);
      std::vector<Array> inputs{columns(ids, known, known + fresh)};
      inputs.insert(inputs.end(), caches.begin(), caches.end());
      std::vector<Array> results = model.run("generate.advance", inputs, {{"known", known}});
      ASSERT_EQ(results.size(), 1 + caches.size());
      caches.assign(results.begin() + 1, results.end());
      for (int64_t b = 0; b < batch; ++b)
        for (int64_t i = 0; i < fresh; ++i)
          for (int64_t v = 0; v < vocab; ++v)
            ASSERT_NEAR(results[0].floats()[(b * fresh + i) * vocab + v],
                        whole.floats()[(b * length + known + i) * vocab + v], 1e-12)
                << "position " << known + i << " of a piece from " << known;
      known += fresh;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Decode, AnyCut,
                         testing::Values(Case{"gpt", "inputs/gpt-logits.mlir", formed, 2},
                                         Case{"gptUnformed", "inputs/gpt-logits.mlir", "", 2},
                                         Case{"llama", "inputs/llama-logits.mlir", formed, 2},
                                         Case{"llamaUnformed", "inputs/llama-logits.mlir", "", 2},
                                         // A running total beside them.
                                         Case{"corners", "model/inputs/corners.mlir", "", 3}),
                         [](const auto &info) { return std::string(info.param.name); });

/// The rows of `target`, with the encoder's part from one call of `begin`.
TEST(Begin, ComputesTheEncoderOnce) {
  Continued model("inputs/translation.mlir", formed, "target", "tgt");
  ASSERT_TRUE(model.good);
  auto names = [&](StringRef entry) {
    std::vector<std::string> result;
    auto function = model.module->lookupSymbol<func::FuncOp>(entry);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (!function.getArgAttr(i, attr::cache))
        result.push_back(function.getArgAttrOfType<StringAttr>(i, attr::name).str());
    return result;
  };
  // The mask of the source is computed where it is used, from the lengths.
  EXPECT_EQ(names("generate.begin"), (std::vector<std::string>{"source", "valid"}));
  EXPECT_EQ(names("generate.advance"), (std::vector<std::string>{"valid", "target"}));
  auto advance = model.module->lookupSymbol<func::FuncOp>("generate.advance");
  advance.walk([](ParamOp op) {
    EXPECT_FALSE(op.getName().starts_with("encoder.")) << op.getName().str();
    EXPECT_FALSE(op.getName().contains("cross.k") || op.getName().contains("cross.v"));
  });

  constexpr int64_t batch = 2, source = 5, length = 7;
  Numbers numbers(5);
  auto ids = [&](SmallVector<int64_t> shape, int64_t below) {
    Array array;
    array.shape = {shape.begin(), shape.end()};
    Wholes data(countOf(array.shape));
    for (int64_t &each : data)
      each = 1 + numbers.below(below - 1);
    array.data = data;
    return array;
  };
  Array words = ids({batch, source}, 17), valid = ids({batch}, source + 1),
        target = ids({batch, length}, 13);
  Array whole = model.run("logits", {words, valid, target}, {})[0];
  int64_t vocab = whole.shape[2];
  llvm::StringMap<int64_t> sizes{{"batch", batch}, {"src", source}, {"capacity", length}};
  std::vector<Array> inputs{words, valid};
  llvm::append_range(inputs, model.emptyCaches("generate.begin", sizes));
  std::vector<Array> once = model.run("generate.begin", inputs, {});
  EXPECT_EQ(once.size(), 2u) << "keys and values of the memory, for every layer";

  auto isOnce = [&](unsigned argument) {
    Attribute name = advance.getArgAttr(argument, attr::cache);
    auto begin = model.module->lookupSymbol<func::FuncOp>("generate.begin");
    for (unsigned i = 0; i < begin.getNumResults(); ++i)
      if (begin.getResultAttr(i, attr::cache) == name)
        return std::optional<unsigned>(i);
    return std::optional<unsigned>();
  };
  std::vector<Array> caches = model.emptyCaches("generate.advance", sizes);
  for (int64_t known = 0; known < length; known += known ? 1 : 3) {
    int64_t fresh = known ? 1 : 3;
    inputs = {valid, columns(target, known, known + fresh)};
    for (unsigned i = 0; i < caches.size(); ++i)
      inputs.push_back(isOnce(2 + i) ? once[*isOnce(2 + i)] : caches[i]);
    std::vector<Array> results = model.run("generate.advance", inputs, {{"known", known}});
    unsigned next = 1;
    for (unsigned i = 0; i < caches.size(); ++i)
      if (!isOnce(2 + i))
        caches[i] = results[next++];
    ASSERT_EQ(results.size(), next) << "what was computed once is not given back";
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < fresh; ++i)
        for (int64_t v = 0; v < vocab; ++v)
          ASSERT_NEAR(results[0].floats()[(b * fresh + i) * vocab + v],
                      whole.floats()[(b * length + known + i) * vocab + v], 1e-12)
              << "position " << known + i;
  }
}

/// A whole number or a switch over the positions of `key` and `seq`, as ops and as a function.
struct Expression {
  Value value;
  std::function<int64_t(int64_t key, int64_t seq)> at;
};

class Masks {
public:
  /// With `wraps`, numbers are as large as they get, and what is made of them leaves 32 bits.
  Masks(OpBuilder builder, uint64_t seed, bool wraps)
      : builder(builder), at(builder.getUnknownLoc()), numbers(seed), wraps(wraps) {}

  Expression whole(int depth) {
    switch (depth == 0 ? numbers.below(3) : numbers.below(8)) {
    case 0:
      return {IndexOp::create(builder, at, dim("key")), [](int64_t key, int64_t) { return key; }};
    case 1:
      return {IndexOp::create(builder, at, dim("seq")), [](int64_t, int64_t seq) { return seq; }};
    case 2:
      return constant(numbers.below(5));
    case 3:
      if (wraps)
        return two<MulOp>(whole(depth - 1),
                          constant(int64_t(numbers.below(1ll << 32)) - (1ll << 31)),
                          [](int64_t a, int64_t b) { return a * b; });
      return constant(numbers.below(5));
    case 4:
      return two<AddOp>(whole(depth - 1), whole(depth - 1),
                        [](int64_t a, int64_t b) { return a + b; });
    case 5:
      return two<SubOp>(whole(depth - 1), whole(depth - 1),
                        [](int64_t a, int64_t b) { return a - b; });
    case 6:
      return two<FloorDivOp>(whole(depth - 1), constant(1 + numbers.below(4)),
                             [](int64_t a, int64_t b) { return a / b - (a % b < 0); });
    default:
      return two<ModOp>(whole(depth - 1), constant(1 + numbers.below(4)),
                        [](int64_t a, int64_t b) { return (a % b + b) % b; });
    }
  }

  Expression mask(int depth) {
    switch (depth == 0 ? 0 : numbers.below(6)) {
    case 1: {
      Expression a = mask(depth - 1);
      return {NotOp::create(builder, at, a.value),
              [a](int64_t k, int64_t s) { return !a.at(k, s); }};
    }
    case 2:
    case 3:
      return two<AndOp>(mask(depth - 1), mask(depth - 1),
                        [](int64_t a, int64_t b) { return a && b; });
    case 4:
      return two<OrOp>(mask(depth - 1), mask(depth - 1),
                       [](int64_t a, int64_t b) { return a || b; });
    default:
      return comparison();
    }
  }

private:
  Expression constant(int64_t value) {
    return {ConstantOp::create(builder, at, builder.getI64IntegerAttr(value)),
            [value](int64_t, int64_t) { return value; }};
  }

  Expression comparison() {
    auto predicate = static_cast<Comparison>(numbers.below(6));
    Expression a = whole(2), b = whole(2);
    return {CompareOp::create(builder, at, predicate, a.value, b.value),
            [=](int64_t k, int64_t s) { return holds(predicate, a.at(k, s), b.at(k, s)); }};
  }

  template <typename Op, typename Apply> Expression two(Expression a, Expression b, Apply apply) {
    return {Op::create(builder, at, a.value, b.value), [=](int64_t k, int64_t s) -> int64_t {
              return wrapped(apply(a.at(k, s), b.at(k, s)));
            }};
  }

  OpBuilder builder;
  Location at;
  Numbers numbers;
  bool wraps;
};

struct Proofs {
  int accepted = 0, causal = 0;
};

/// sum[key](where(mask, tokens as key, 0)) is causal exactly if the mask lets no later key through.
Proofs prove(uint64_t first, uint64_t count, bool wraps) {
  Proofs proofs;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    auto module = parseSourceString<ModuleOp>(R"(
      model.dim @seq
      model.dim @key = #model.size<seq>
      func.func @entry(%x: !model.tensor<i32, seq>) -> !model.tensor<i32, seq> { return %x : !model.tensor<i32, seq> })",
                                              &testContext());
    auto function = *module->getOps<func::FuncOp>().begin();
    Operation *exit = function.front().getTerminator();
    OpBuilder builder(exit);
    Location at = builder.getUnknownLoc();
    Masks masks(builder, seed, wraps);
    Expression mask = masks.mask(3);
    DimAttr seq = dim("seq"), key = dim("key");
    Value keys =
        RegroupOp::create(builder, at, function.getArgument(0), ArrayRef(seq), ArrayRef(key));
    Value along = IndexOp::create(builder, at, seq);
    Value zero = ConstantOp::create(builder, at, builder.getI64IntegerAttr(0));
    // Every mask here has both dimensions.
    Value both = CompareOp::create(builder, at, Comparison::ge,
                                   AddOp::create(builder, at, keys, along).getResult(), zero);
    Value chosen = WhereOp::create(
        builder, at, AndOp::create(builder, at, both, mask.value).getResult(), keys, zero);
    exit->setOperand(0, SumOp::create(builder, at, ArrayRef(key), chosen));

    bool looksAhead = false;
    constexpr int64_t length = 24;
    for (int64_t row = 0; row < length; ++row)
      for (int64_t column = row + 1; column < length; ++column)
        looksAhead |= mask.at(column, row) != 0;
    Dims dims(*module);
    decode::Causality causality(function, dims, seq);
    bool refused = causality.culprit(0).has_value();
    EXPECT_TRUE(refused || !looksAhead) << "seed " << seed;
    proofs.accepted += !refused;
    proofs.causal += !looksAhead;
  }
  return proofs;
}

TEST(Causality, AcceptsNoMaskThatLooksAhead) {
  Proofs proofs = prove(0, 3000, false);
  // A proof that refuses everything would pass as well.
  EXPECT_GE(proofs.accepted, proofs.causal * 9 / 10) << "of " << proofs.causal << " causal ones";
}

TEST(Causality, AcceptsNoMaskThatLooksAheadWhereNumbersWrap) {
  auto now = std::chrono::system_clock::now().time_since_epoch().count();
  uint64_t seed = uint64_t(now) % 1000000000;
  std::cout << "seed " << seed << std::endl;
  prove(seed, 2000, true);
}

} // namespace
