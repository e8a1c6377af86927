// What a tile of the gradient of attention adds to the gradients of its keys, values and queries.
#include "codegen/cpu/attention/GradientProducts.h"

#include "codegen/cpu/tiles/Product.h"

using namespace llvm;

namespace weft::cpu {

Value *GradientProducts::rowAt(Value *base, Value *row, Value *stride) const {
  return b.CreateInBoundsGEP(b.getFloatTy(), base, b.CreateNSWMul(row, stride));
}

void GradientProducts::addToKeys(CoreSet cores, Value *tile, Value *right, Value *stride,
                                 Value *to) const {
  Product product{};
  product.core = {Core::Left::transposed, Core::Right::matrix, cores};
  product.rows = b.CreateNSWSub(part.endPanel, part.firstKey);
  product.rowUnit = panelWidth;
  product.panels = b.CreateUDiv(stride, b.getInt64(panelWidth));
  product.k = part.rows;
  product.left = b.CreateInBoundsGEP(b.getFloatTy(), tile, part.firstKey);
  product.leftStride = b.getInt64(keyBlock);
  product.right = right;
  product.rightStride = stride;
  product.out = rowAt(to, part.firstKey, stride);
  product.outStride = stride;
  product.accumulate = b.getTrue();
  emitProduct(b, emission, product);
}

void GradientProducts::addToQueries(CoreSet cores, Value *tile, Value *right, Value *stride,
                                    Value *to) const {
  Product product{};
  product.core = {Core::Left::matrix, Core::Right::matrix, cores};
  product.rows = part.rows;
  product.panels = b.CreateUDiv(stride, b.getInt64(panelWidth));
  product.k = part.keys;
  product.left = b.CreateInBoundsGEP(b.getFloatTy(), tile, part.firstKey);
  product.leftStride = b.getInt64(keyBlock);
  product.right = rowAt(right, part.firstKey, stride);
  product.rightStride = stride;
  product.out = rowAt(to, part.firstRow, stride);
  product.outStride = stride;
  product.accumulate = b.getTrue();
  emitProduct(b, emission, product);
}

} // namespace weft::cpu
