// Second moments of what weights are multiplied by: how much a change of two weights of a column
// together changes what products give.
#ifndef WEFT_PASSES_MODEL_MOMENTS_H
#define WEFT_PASSES_MODEL_MOMENTS_H

#include "ir/model/Model.h"

#include <string>
#include <vector>

namespace weft::model {

/// Of one product `sum[rows](x * W)` by a parameter W: the sum of x[r] * x[r'] over all positions
/// of x, which is half the Hessian of the squared error of what the product gives, by the weights
/// of a column (GPTQ, Frantar and others 2022, equation 2).
struct Moment {
  std::string parameter;
  unsigned result;      ///< of the function
  DimList rows, others; ///< dimensions of the result: r, as the parameter calls them, and r'
};

/// Adds moments as further results of a function of the stage `model`: of each product of which one
/// side is a parameter as it is declared. A result has the loops of the parameter and the
/// dimensions that are on both sides and not added up, once each; loops that are not the
/// parameter's are added up.
std::vector<Moment> addMoments(mlir::func::FuncOp function);

} // namespace weft::model

#endif // WEFT_PASSES_MODEL_MOMENTS_H
