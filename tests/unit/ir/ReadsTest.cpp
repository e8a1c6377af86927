// What is said to targets of how ops that move elements read, against what the interpreter does.
#include "Interpreted.h"

#include "ir/kernel/DimTable.h"
#include "ir/kernel/Movement.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using kernel::Position, kernel::Range, kernel::Read;
using model::DimAttr, model::DimList;

namespace {

using Positions = llvm::DenseMap<DimAttr, int64_t>;

/// Reads elements of a function's arguments as `readsOf` says.
class Reader {
public:
  Reader(mlir::ModuleOp module, const std::vector<Array> &arguments)
      : table(kernel::DimTable::of(module)), arguments(arguments) {}

  double read(mlir::Operation *op, const Positions &at) {
    std::vector<Read> reads = kernel::readsOf(op);
    for (const Read &read : reads) {
      if (&read != &reads.back() && !holds(*read.within, at))
        continue;
      Positions there = at;
      for (const auto &[dim, position] : read.at)
        there[dim] = value(position, at);
      return element(read.source, there);
    }
    return NaN;
  }

  int64_t size(const Size &size) const { return *table.known(size); }

private:
  bool holds(const Range &range, const Positions &at) {
    int64_t here = at.lookup(range.dim), from = size(range.from);
    return from <= here && here < from + size(range.count);
  }

  int64_t value(const Position &position, const Positions &at) {
    int64_t first = position.first ? value(*position.first, at) : 0;
    int64_t second = position.second ? value(*position.second, at) : 0;
    switch (position.kind) {
    case Position::Kind::along:
      return at.lookup(position.dim);
    case Position::Kind::element:
      return element(position.index, at);
    case Position::Kind::number:
      return size(position.size);
    case Position::Kind::plus:
      return first + size(position.size);
    case Position::Kind::minus:
      return first - size(position.size);
    case Position::Kind::joined:
      return first * size(position.size) + second;
    case Position::Kind::quotient:
      return first / size(position.size);
    case Position::Kind::rest:
      return first % size(position.size);
    }
    return -1;
  }

  double element(mlir::Value argument, const Positions &at) {
    int64_t place = 0;
    for (DimAttr dim : model::typeOf(argument).getDims()) {
      int64_t here = at.lookup(dim), count = size(Size::dim(dim.getValue()));
      EXPECT_TRUE(here >= 0 && here < count) << here << " along " << dim.getValue().str();
      place = place * count + here;
    }
    const Array &array = arguments[cast<mlir::BlockArgument>(argument).getArgNumber()];
    return std::visit([&](const auto &elements) { return double(elements[place]); }, array.data);
  }

  kernel::DimTable table;
  const std::vector<Array> &arguments;
};

const std::string dims = "model.dim @a = <2>\nmodel.dim @b = <6>\nmodel.dim @c = <3>\n"
                         "model.dim @d = <2>\nmodel.dim @e = <4>\nmodel.dim @ab = <12>\n"
                         "model.dim @bc = <9>\nmodel.dim @bce = <13>\n";

/// Of `op`, whose operands are the arguments.
void expectSame(const std::string &given, const std::string &op, const std::string &type,
                const std::vector<Array> &arguments) {
  Program program(dims + "func.func @f(" + given + ") -> " + type + " {\n%r = " + op +
                  "\nreturn %r : " + type + "\n}\n");
  ASSERT_TRUE(program.ok()) << program.errors();
  std::vector<Array> found = program.run(arguments);
  ASSERT_EQ(found.size(), 1u) << program.errors();
  mlir::Operation *moving = nullptr;
  program.module().walk([&](model::Moving each) { moving = each; });
  ASSERT_TRUE(moving);
  Reader reader(program.module(), arguments);
  DimList along(model::typeOf(moving->getResult(0)).getDims());
  for (auto [place, expected] : llvm::enumerate(found[0].floats())) {
    Positions at;
    int64_t rest = place;
    for (DimAttr dim : llvm::reverse(along)) {
      int64_t count = reader.size(Size::dim(dim.getValue()));
      at[dim] = rest % count;
      rest /= count;
    }
    EXPECT_EQ(reader.read(moving, at), expected) << op << ", element " << place;
  }
}

std::string tensor(const std::string &dims) {
  return "!model.tensor<f32, " + dims + ">";
}

/// As many as there are positions, from `first` on.
Array counted(std::vector<int64_t> shape, double first = 0) {
  Floats data(reference::countOf(shape));
  std::iota(data.begin(), data.end(), first);
  return floats(std::move(shape), std::move(data));
}

const std::string ab = "%x: !model.tensor<f32, a, b>";

TEST(Reads, AtOtherPositions) {
  Array x = counted({2, 6});
  expectSame(ab, "model.broadcast %x along [\"c\"] : <f32, a, b>", tensor("a, b, c"), {x});
  expectSame(ab, "model.arrange %x : <f32, a, b> -> <f32, b, a>", tensor("b, a"), {x});
  expectSame(ab, "model.pick %x \"b\" = 4 : <f32, a, b>", tensor("a"), {x});
  expectSame(ab, "model.part %x \"b\" as \"c\" at <d> : <f32, a, b>", tensor("a, c"), {x});
  expectSame(ab, "model.part %x \"b\" as \"c\" at <0> : <f32, a, b>", tensor("a, c"), {x});
  expectSame(ab + ", %i: !model.tensor<index<b>, c>",
             "model.gather %x \"b\" = %i : <f32, a, b>, <index<b>, c>", tensor("a, c"),
             {x, wholes({3}, {5, 0, 3})});
}

TEST(Reads, Regrouped) {
  Array x = counted({2, 6});
  auto regroup = [&](const std::string &how, const std::string &result) {
    expectSame(ab, "model.regroup %x " + how + " : <f32, a, b>", tensor(result), {x});
  };
  regroup("[\"b\"] as [\"c\", \"d\"]", "a, c, d");
  regroup("[\"b\"] as [\"d\", \"c\"]", "a, d, c");
  regroup("[\"a\", \"b\"] as [\"ab\"]", "ab");
  regroup("[\"b\", \"a\"] as [\"ab\"]", "ab");
  regroup("[\"b\", \"a\"] as [\"a\", \"d\", \"c\"]", "a, d, c");
}

TEST(Reads, OneOfSeveral) {
  Array six = counted({6}), three = counted({3}, 10), four = counted({4}, 20);
  std::string b = tensor("b"), c = tensor("c"), e = tensor("e");
  expectSame("%x: " + b + ", %y: " + b, "model.stack \"a\" %x, %y : " + b + ", " + b,
             tensor("b, a"), {six, counted({6}, 10)});
  std::string both = "%x: " + b + ", %y: " + c;
  expectSame(both, "model.concat \"bc\" of [\"b\", \"c\"] %x, %y : " + b + ", " + c, tensor("bc"),
             {six, three});
  expectSame(both + ", %z: " + e,
             "model.concat \"bce\" of [\"b\", \"c\", \"e\"] %x, %y, %z : " + b + ", " + c + ", " +
                 e,
             tensor("bce"), {six, three, four});
  expectSame(both,
             "model.insert_part %y into %x \"b\" as \"c\" at <d> : <f32, c>, <f32, b> -> <f32, b>",
             b, {six, three});
}

} // namespace
