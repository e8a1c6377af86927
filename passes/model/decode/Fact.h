// What is known of a value: which positions it depends on, and where it can be other than a
// constant.
#ifndef WEFT_PASSES_MODEL_DECODE_FACT_H
#define WEFT_PASSES_MODEL_DECODE_FACT_H

#include "ir/model/Model.h"
#include "passes/model/decode/Formula.h"

namespace weft::decode {

/// The operation that keeps a program from being causal, and why.
struct Culprit {
  mlir::Operation *op;
  std::string what;               // "`max[key]` reads every position"
  std::vector<std::string> notes; // what is known, and what to do
};

struct ByName {
  bool operator()(DimAttr a, DimAttr b) const {
    return (a ? a.getValue() : "") < (b ? b.getValue() : "");
  }
};

/// The element at i reads, of the content or the existence of positions, none after the largest i_d
/// + shift_d over the growing dimensions d in it. Under the null name stands an absolute position.
/// Empty: independent of the sequence.
using Reach = std::map<DimAttr, int64_t, ByName>;

/// A whole number: a linear form, and what holds of its unknowns.
struct Whole {
  Linear form;
  Formula where = Formula::anything();
  bool operator==(const Whole &) const = default;
};

/// A switch: where it can be true, and where it can be false. Both may be too weak.
struct Truth {
  Formula yes = Formula::anything(), no = Formula::anything();
  bool operator==(const Truth &) const = default;
};

struct Fact {
  Reach reach;
  /// Set: reads positions without bound.
  std::optional<Culprit> unbounded;
  /// The operation that was the first to read ahead, if one does.
  std::optional<Culprit> ahead;
  /// By constant: where the value can differ from it. A constant that is missing: everywhere.
  std::map<double, Formula> differs;
  std::optional<Whole> whole;
  std::optional<Truth> truth;

  Formula differsFrom(double constant) const {
    auto found = differs.find(constant);
    return found == differs.end() ? Formula::anything() : found->second;
  }
  Truth truthOrUnknown() const { return truth.value_or(Truth()); }
  /// Whether two rounds of the analysis of a loop agree: then it has reached its fixed point.
  bool agrees(const Fact &other) const {
    return unbounded.has_value() == other.unbounded.has_value() && reach == other.reach &&
           differs == other.differs && whole == other.whole && truth == other.truth;
  }
};

/// The larger shift of each dimension.
Reach join(Reach a, const Reach &b);
/// A reach without one of its dimensions, and how far ahead it went along that: at least 0, since
/// an element that does not exist yet counts as read.
struct Split {
  Reach rest;
  int64_t ahead;
};
Split splitOff(Reach reach, DimAttr dim);
/// The join of two facts: what holds of a value that is one or the other.
Fact either(const Fact &a, const Fact &b);
/// Without literals about positions along `dims` or about other values, neither of which have a
/// meaning outside of a loop, or once `dims` are reduced.
Fact without(Fact fact, llvm::ArrayRef<DimAttr> dims);
Formula without(const Formula &formula, llvm::ArrayRef<DimAttr> dims);

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_FACT_H
