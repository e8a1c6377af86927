// What a tile of the gradient of attention adds to the gradients of its keys, values and queries.
#include "codegen/cpu/attention/GradientProducts.h"

using namespace llvm;

namespace weft::cpu {

/// Rows of `to` from `first` on.
Product GradientProducts::productOf(CoreSet cores, Core::Left left, GradientSides::Right right,
                                    Sums to, Value *first) const {
  Product product{};
  product.core = pairs ? Core::ofPairs(left, cores, PairProducts::words)
                       : Core{left, Core::Right::matrix, cores};
  product.panels = b.CreateUDiv(to.stride, b.getInt64(panelWidth));
  product.right = right.from;
  product.rightStride = right.stride;
  product.out = b.CreateInBoundsGEP(b.getFloatTy(), to.from, b.CreateNSWMul(first, to.stride));
  product.outStride = to.stride;
  product.accumulate = b.getTrue();
  return product;
}

void GradientProducts::addToKeys(CoreSet cores, Value *tile, GradientSides::Right right,
                                 Sums to) const {
  Product product = productOf(cores, Core::Left::transposed, right, to, part.firstKey);
  product.rows = b.CreateNSWSub(part.endPanel, part.firstKey);
  product.rowUnit = panelWidth;
  product.k = part.rows;
  // Of floats, or of words.
  product.left = b.CreateInBoundsGEP(b.getFloatTy(), tile, part.firstKey);
  product.leftStride = b.getInt64(keyBlock);
  emitProduct(b, emission, product);
}

void GradientProducts::addToQueries(CoreSet cores, Value *tile, GradientSides::Right right,
                                    Sums to) const {
  Product product = productOf(cores, Core::Left::matrix, right, to, part.firstRow);
  product.rows = part.rows;
  product.k = part.keys;
  product.left = b.CreateInBoundsGEP(b.getFloatTy(), tile, part.firstKey);
  product.leftStride = b.getInt64(keyBlock);
  if (pairs)
    takeHalves(b, product, tile, part.firstKey, keyBlock);
  emitProduct(b, emission, product);
}

} // namespace weft::cpu
