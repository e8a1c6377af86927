// The plan dialect: when and where. See Plan.td.
#ifndef WEFT_IR_PLAN_PLAN_H
#define WEFT_IR_PLAN_PLAN_H

#include "ir/model/Model.h"

namespace weft::plan {
/// Whether a buffer is one that the caller of an entry brings.
template <typename Op> class OfTheCaller : public mlir::OpTrait::TraitBase<Op, OfTheCaller> {};
} // namespace weft::plan

#include "ir/plan/PlanDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/plan/PlanTypedef.h.inc"
#define GET_OP_CLASSES
#include "ir/plan/PlanOp.h.inc"

#endif // WEFT_IR_PLAN_PLAN_H
