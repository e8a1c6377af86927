// Traits of ops: what passes and targets ask of an op that needs no answer but yes or no.
#ifndef WEFT_IR_MODEL_TRAITS_H
#define WEFT_IR_MODEL_TRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace weft::model {

#define WEFT_TRAIT(name)                                                                           \
  template <typename Op> class name : public mlir::OpTrait::TraitBase<Op, name> {}

/// Takes many times longer than an addition: worth caching, and worth computing in vector lanes.
WEFT_TRAIT(Heavy);
/// Costs nothing to recompute wherever it is used: constants, positions, sizes.
WEFT_TRAIT(Free);
/// Declares, reads or writes storage, or is a loop: computes nothing by itself.
WEFT_TRAIT(Structural);
/// Moves no data: the result is a view of the first operand.
WEFT_TRAIT(View);
/// A view that has, at every position by name, the element that its operand has there.
WEFT_TRAIT(SameByName);
/// Stands for a formula of simpler ops, which a kernel of its own computes better.
WEFT_TRAIT(Idiom);
/// A reduction that may be done in pieces: the reduction of the pieces' results is the result.
WEFT_TRAIT(Associative);
/// Whole results that leave 32 bits wrap.
WEFT_TRAIT(Wraps);

// How a result in f32 differs from the exact one, given the operands. Ops with none of these round
// several times inside.

/// By the rounding to f32 alone, of which most need none: the result is one of the operands'
/// elements.
WEFT_TRAIT(Exact);
/// By one rounding.
WEFT_TRAIT(RoundsOnce);
/// By a rounding for every term that is added up.
WEFT_TRAIT(AddsUp);

#undef WEFT_TRAIT

} // namespace weft::model

#endif // WEFT_IR_MODEL_TRAITS_H
