// Which kinds of blocks a gradient of attention has.
#include "ir/cuda/attention/GradientOwners.h"

#include "ir/model/infer/Align.h"

using namespace llvm;
using weft::kernel::AttentionForm;
using weft::model::DimAttr;
using weft::model::DimList;

namespace weft::cuda {

namespace {
class Dealing {
public:
  Dealing(kernel::FusedOp op, const AttentionForm &form, const kernel::DimTable &dims)
      : op(op), form(form), dims(dims) {}

  std::vector<GradientOwner> all() {
    if (!form.dq.empty())
      add(/*ofQueries=*/true, {.dq = form.dq});
    bool together = !form.dk.empty() && !form.dv.empty() && shared(form.dk) == shared(form.dv);
    if (together)
      add(/*ofQueries=*/false, {.dk = form.dk, .dv = form.dv});
    else {
      if (!form.dk.empty())
        add(/*ofQueries=*/false, {.dk = form.dk});
      if (!form.dv.empty())
        add(/*ofQueries=*/false, {.dv = form.dv});
    }
    if (!form.dbias.empty())
      addBias();
    return std::move(owners);
  }

private:
  using Numbers = SmallVector<unsigned>;
  struct Results {
    Numbers dq = {}, dk = {}, dv = {}, dbias = {};
  };

  /// Along a dimension of size 1 nothing is summed.
  bool has(ArrayRef<unsigned> results, DimAttr dim) {
    mlir::Value result = op.getResult(results.front() - op.getNumOperands());
    return is_contained(model::dimsOf(result), dim) || dims.known(dim.getValue()) == 1;
  }
  DimList shared(ArrayRef<unsigned> results) {
    return filter_to_vector(form.batch, [&](DimAttr dim) { return has(results, dim); });
  }

  GradientOwner &add(bool ofQueries, const Results &results) {
    GradientOwner owner{ofQueries, form};
    std::tie(owner.form.dq, owner.form.dk, owner.form.dv, owner.form.dbias) =
        std::tie(results.dq, results.dk, results.dv, results.dbias);
    for (const Numbers *each : {&results.dq, &results.dk, &results.dv, &results.dbias})
      if (!each->empty())
        return deal(owners.emplace_back(owner), *each);
    llvm_unreachable("an owner has results");
  }

  GradientOwner &deal(GradientOwner &owner, ArrayRef<unsigned> results) {
    AttentionForm &of = owner.form;
    of.shared.clear();
    of.summed.clear();
    for (DimAttr dim : of.batch)
      (has(results, dim) ? of.shared : of.summed).push_back(dim);
    of.batch = of.shared;
    of.batch.append(of.summed);
    return owner;
  }

  /// Some of the queries' dimensions are a bias's: it is the same for all positions of the others,
  /// as for positions of the batch.
  void addBias() {
    ArrayRef<DimAttr> bias = model::dimsOf(form.bias);
    auto isOfBias = [&](DimAttr dim) { return is_contained(bias, dim); };
    bool byQuery = any_of(form.rows, isOfBias), byKey = any_of(form.keys, isOfBias);
    GradientOwner &owner = add(byQuery || !byKey, {.dbias = form.dbias});
    owner.ownsRows = byQuery || byKey;
    owner.ownsColumns = byQuery && byKey;
    if (!byQuery)
      return;
    DimList rows;
    for (DimAttr dim : form.rows)
      (isOfBias(dim) ? rows : owner.form.batch).push_back(dim);
    owner.form.rows = rows;
    deal(owner, form.dbias);
  }

  kernel::FusedOp op;
  const AttentionForm &form;
  const kernel::DimTable &dims;
  std::vector<GradientOwner> owners;
};
} // namespace

std::vector<GradientOwner> gradientOwners(kernel::FusedOp op, const AttentionForm &form,
                                          const kernel::DimTable &dims) {
  return Dealing(op, form, dims).all();
}

} // namespace weft::cuda
