// Contractions: packed to [batch][m][k] and [batch][k][n], multiplied without outer products.
#include "ir/model/infer/Infer.h"
#include "ir/reference/Evaluator.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

/// `input` over `dims` in that order, summed over what `dims` lacks. Every dimension of `dims` is
/// one of the input.
static Floats packed(const Sizes &sizes, const Tensor &input, ArrayRef<DimAttr> dims) {
  Floats out(sizes.count(dims), 0.0);
  DimList space(dims);
  llvm::append_range(space, without(input.dims(), dims));
  const Floats &in = input.array->floats();
  walk<2>(sizes[space], {sizes.strides(dims, space), sizes.strides(input.dims(), space)},
          [&](auto at) { out[at[0]] += in[at[1]]; });
  return out;
}

Tensor Evaluator::asTf32(Tensor given) {
  Floats out = given.array->floats();
  for (double &each : out) {
    auto bits = llvm::bit_cast<uint32_t>(float(each));
    constexpr uint32_t exponent = 0x7f800000, half = 0x1000, kept = ~0x1fffu;
    if ((bits & exponent) != exponent)
      each = llvm::bit_cast<float>((bits + half) & kept);
  }
  return tensor(given.type, {given.array->shape, std::move(out)});
}

static DimList joined(ArrayRef<DimAttr> a, ArrayRef<DimAttr> b, ArrayRef<DimAttr> c) {
  DimList all(a);
  llvm::append_range(all, b);
  llvm::append_range(all, c);
  return all;
}

Tensor Evaluator::contract(Tensor a, Tensor b, ArrayRef<DimAttr> dims) {
  DimList batch, rows, columns, inner;
  for (DimAttr dim : dims) {
    assert((a.type.has(dim) || b.type.has(dim)) && "a contraction makes no dimension");
    if (a.type.has(dim) && b.type.has(dim))
      batch.push_back(dim);
    else
      (a.type.has(dim) ? rows : columns).push_back(dim);
  }
  for (DimAttr dim : a.dims())
    if (b.type.has(dim) && !llvm::is_contained(dims, dim))
      inner.push_back(dim);

  Floats left = packed(sizes, a, joined(batch, rows, inner));
  Floats right = packed(sizes, b, joined(batch, inner, columns));
  int64_t m = sizes.count(rows), n = sizes.count(columns), k = sizes.count(inner);
  DimList order = joined(batch, rows, columns);
  Floats out(sizes.count(order), 0.0);
  for (int64_t p = 0; p < sizes.count(batch); ++p)
    for (int64_t i = 0; i < m; ++i) {
      double *row = out.data() + (p * m + i) * n;
      for (int64_t j = 0; j < k; ++j) {
        double factor = left[(p * m + i) * k + j];
        const double *other = right.data() + (p * k + j) * n;
        for (int64_t c = 0; c < n; ++c)
          row[c] += factor * other[c];
      }
    }
  Tensor product = tensor(typeOver(order), {sizes[order], std::move(out)});
  if (order == dims)
    return product;
  return tensor(typeOver(dims), copied(product, typeOver(dims)));
}
