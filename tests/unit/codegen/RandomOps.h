// Ops of the model dialect at random, on values over named dimensions.
#ifndef WEFT_TESTS_UNIT_CODEGEN_RANDOMOPS_H
#define WEFT_TESTS_UNIT_CODEGEN_RANDOMOPS_H

#include "Draw.h"

#include "ir/model/Model.h"

#include <functional>

namespace weft::test {

/// A value, and how large its elements are. Floats that are exact are multiples of 2^grain.
struct Known {
  mlir::Value value;
  double bound = 0;
  int grain = 0;
  bool exact = true;

  model::NamedTensorType type() const { return model::typeOf(value); }
  llvm::ArrayRef<model::DimAttr> dims() const { return type().getDims(); }
  char kind() const { return type().isFloat() ? 'f' : type().isBool() ? 'b' : 'i'; }
  bool has(model::DimAttr dim) const { return type().has(dim); }
};

/// Grows a pool of values. What two ways of rounding could tell apart (comparisons, positions,
/// rounding down) is asked of exact numbers, or of those that are hardly ever close. The dimensions
/// `r = a`, `m = a * b`, `w = a + b` and `p = 2` are among `dims`.
class RandomOps {
public:
  static constexpr double mostElements = 40000;
  /// The most elements that values over some dimensions have.
  using Elements = std::function<double(llvm::ArrayRef<model::DimAttr>)>;

  RandomOps(mlir::OpBuilder &builder, Draw &draw, std::vector<model::DimAttr> &dims,
            Elements elements)
      : builder(builder), loc(builder.getUnknownLoc()), draw(draw), dims(dims),
        elements(std::move(elements)) {}

  std::vector<Known> pool;
  /// One more value; false if what was drawn does not fit the values that there are.
  bool step();
  /// The same without reductions.
  bool stepWithoutReduction();
  /// A running sum, or the positions of the largest, of some value; null if none has numbers along
  /// a dimension.
  mlir::Value scan();

private:
  bool fits(std::initializer_list<Known> values);
  bool add(mlir::Value value, double bound, int grain, bool exact);
  bool rounded(mlir::Value value, double bound);
  bool whole(mlir::Value value);
  Known any();
  Known number(double value, int grain = -2);
  Known integer(int64_t value);
  Known of(char kind);
  Known drawnNumbers();
  model::DimList some(const Known &x);
  double count(llvm::ArrayRef<model::DimAttr> over);
  bool drawn(int64_t ways);
  bool unary(Known x);
  bool binary(Known x, Known y);
  bool wholes(Known x, Known y);
  bool switches();
  bool where();
  bool reduced(Known x);
  bool idiom(Known x);
  bool moved(Known x);
  bool several(Known x, Known y);
  model::DimAttr dim(llvm::StringRef name) {
    return model::DimAttr::get(builder.getContext(), name);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  Draw &draw;
  std::vector<model::DimAttr> &dims;
  Elements elements;
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_RANDOMOPS_H
