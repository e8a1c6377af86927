// What `model.compare` means for two values.
#ifndef WEFT_IR_MODEL_COMPARISONS_H
#define WEFT_IR_MODEL_COMPARISONS_H

#include "ir/model/Model.h"

namespace weft::model {

template <typename Number> bool holds(Comparison predicate, Number a, Number b) {
  switch (predicate) {
  case Comparison::lt:
    return a < b;
  case Comparison::le:
    return a <= b;
  case Comparison::gt:
    return a > b;
  case Comparison::ge:
    return a >= b;
  case Comparison::eq:
    return a == b;
  case Comparison::ne:
    return a != b;
  }
  llvm_unreachable("a comparison has six cases");
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_COMPARISONS_H
