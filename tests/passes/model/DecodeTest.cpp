// Decode: any cut of the positions gives what the whole entry gives; a program that looks ahead is
// never accepted.
#include "tests/passes/model/Compiled.h"

#include "ir/model/Arithmetic.h"
#include "ir/model/Dims.h"
#include "passes/model/decode/Causality.h"

#include <cmath>

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

namespace {

/// The logits of a model, to be continued along `seq`.
class Continued {
public:
  Continued(const std::string &file, const std::string &idioms) {
    module = compiled(file, "cse");
    OpBuilder builder(&testContext());
    auto text = [&](const char *key, const char *value) {
      return builder.getNamedAttr(key, builder.getStringAttr(value));
    };
    (*module)->setAttr("weft.decodings", builder.getArrayAttr(builder.getDictionaryAttr(
                                             {text("name", "generate"), text("entry", "logits"),
                                              text("argument", "tokens"), text("dim", "seq")})));
    PassManager manager(&testContext());
    good = succeeded(
               parsePassPipeline(idioms + "weft-decode{every=true},canonicalize,cse", manager)) &&
           succeeded(manager.run(*module));
    Numbers numbers(11);
    for (auto parameter : module->getOps<ParameterOp>()) {
      Array array;
      for (StringAttr dim : parameter.getTensor().getDims())
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

  /// Caches with room for `capacity` positions; what is read before it is written shows.
  std::vector<Array> emptyCaches(int64_t batch, int64_t capacity) {
    std::vector<Array> caches;
    auto advance = module->lookupSymbol<func::FuncOp>("generate.advance");
    for (BlockArgument argument : advance.getArguments()) {
      if (!advance.getArgAttr(argument.getArgNumber(), "weft.cache"))
        continue;
      Array array;
      for (StringAttr dim : typeOf(argument).getDims())
        array.shape.push_back(dim.getValue() == "batch"      ? batch
                              : dim.getValue() == "capacity" ? capacity
                                                             : *Dims(*module).fixed(dim));
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

constexpr const char *formed =
    "weft-fold-sizes,canonicalize,cse,weft-form-contractions,weft-form-softmax,"
    "weft-form-log-sum-exp,weft-form-normalize,weft-form-attention,";

struct Case {
  const char *name, *file, *idioms;
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
    std::vector<Array> caches = model.emptyCaches(batch, capacity);
    EXPECT_EQ(caches.size(), 2u) << "keys and values, nothing else";
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
                         testing::Values(Case{"gpt", "inputs/gpt.mlir", formed},
                                         Case{"gptUnformed", "inputs/gpt.mlir", ""},
                                         Case{"llama", "inputs/llama.mlir", formed},
                                         Case{"llamaUnformed", "inputs/llama.mlir", ""},
                                         Case{"corners", "model/inputs/corners.mlir", ""}),
                         [](const auto &info) { return std::string(info.param.name); });

/// A whole number or a switch over the positions of `key` and `seq`, as ops and as a function.
struct Expression {
  Value value;
  std::function<int64_t(int64_t key, int64_t seq)> at;
};

class Masks {
public:
  explicit Masks(OpBuilder builder, uint64_t seed)
      : builder(builder), at(builder.getUnknownLoc()), numbers(seed) {}

  Expression whole(int depth) {
    switch (depth == 0 ? numbers.below(3) : numbers.below(8)) {
    case 0:
      return {IndexOp::create(builder, at, "key"), [](int64_t key, int64_t) { return key; }};
    case 1:
      return {IndexOp::create(builder, at, "seq"), [](int64_t, int64_t seq) { return seq; }};
    case 2:
    case 3:
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
    return {Op::create(builder, at, a.value, b.value),
            [=](int64_t k, int64_t s) -> int64_t { return apply(a.at(k, s), b.at(k, s)); }};
  }

  OpBuilder builder;
  Location at;
  Numbers numbers;
};

/// sum[key](where(mask, tokens as key, 0)) is causal exactly if the mask lets no later key through.
TEST(Causality, AcceptsNoMaskThatLooksAhead) {
  int accepted = 0, causal = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    auto module = parseSourceString<ModuleOp>(R"(
      model.dim @seq
      model.dim @key = #model.size<seq>
      func.func @entry(%x: !model.tensor<i64, seq>) -> !model.tensor<i64, seq> { return %x : !model.tensor<i64, seq> })",
                                              &testContext());
    auto function = *module->getOps<func::FuncOp>().begin();
    Operation *exit = function.front().getTerminator();
    OpBuilder builder(exit);
    Location at = builder.getUnknownLoc();
    Masks masks(builder, seed);
    Expression mask = masks.mask(3);
    Value keys =
        RegroupOp::create(builder, at, function.getArgument(0), builder.getStrArrayAttr({"seq"}),
                          builder.getStrArrayAttr({"key"}));
    Value along = IndexOp::create(builder, at, "seq");
    Value zero = ConstantOp::create(builder, at, builder.getI64IntegerAttr(0));
    // Every mask here has both dimensions.
    Value both = CompareOp::create(builder, at, Comparison::ge,
                                   AddOp::create(builder, at, keys, along).getResult(), zero);
    Value chosen = WhereOp::create(
        builder, at, AndOp::create(builder, at, both, mask.value).getResult(), keys, zero);
    exit->setOperand(0, SumOp::create(builder, at, builder.getStrArrayAttr({"key"}), chosen));

    bool looksAhead = false;
    constexpr int64_t length = 24;
    for (int64_t seq = 0; seq < length; ++seq)
      for (int64_t key = seq + 1; key < length; ++key)
        looksAhead |= mask.at(key, seq) != 0;
    Dims dims(*module);
    decode::Causality causality(function, dims, builder.getStringAttr("seq"));
    bool refused = causality.culprit(0).has_value();
    EXPECT_TRUE(refused || !looksAhead) << "seed " << seed;
    accepted += !refused;
    causal += !looksAhead;
  }
  // A proof that refuses everything would pass as well.
  EXPECT_GE(accepted, causal * 9 / 10) << "of " << causal << " causal ones";
}

} // namespace
