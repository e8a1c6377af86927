// What a block of the gradient of attention computes by matrix instructions.
#include "codegen/gpu/attention/warp/WarpGradientTile.h"

#include "codegen/gpu/attention/warp/TileRing.h"

using namespace llvm;

namespace weft::gpu {

WarpGradientTile::WarpGradientTile(Owner owner, const AttentionBuffers &buffers, Team &team,
                                   cuda::MmaAttentionGradAttr schedule, Value *cells,
                                   ArrayRef<unsigned> alignments)
    : owner(owner), buffers(buffers), frame(buffers.frame), b(frame.builder), form(buffers.form),
      team(team), schedule(schedule), mask(frame, buffers.op, form),
      tile(b, unsigned(schedule.getRows()), unsigned(schedule.getWarps()),
           form.narrowWeights ? 1 : 2),
      ownDepth(buffers, ofQueries() ? form.q : form.k,
               shape(ownDims(), form.depth, schedule.getRows()), alignments),
      ownValues(buffers, ofQueries() ? form.gradient : form.v,
                shape(ownDims(), form.values, schedule.getRows()), alignments),
      otherDepth(buffers, ofQueries() ? form.k : form.q, shape(otherDims(), form.depth, columns()),
                 alignments),
      otherValues(buffers, ofQueries() ? form.v : form.gradient,
                  shape(otherDims(), form.values, columns()), alignments),
      cells(cells), constants(buffers, team, queryCount(), constantCells(cells)) {}

StagedMatrix::Shape WarpGradientTile::shape(const DimList &rows, const DimList &columns,
                                            int64_t tile) const {
  int64_t count = frame.emission.known(sizeOf(columns)).value_or(0);
  return {rows, columns, unsigned(tile), unsigned(cuda::narrowColumns(count)), team.size()};
}

Value *WarpGradientTile::constantCells(Value *cells) const {
  unsigned stages = unsigned(schedule.getStages()) * (otherDepth.bytes() + otherValues.bytes());
  return b.CreateAddrSpaceCast(offset(b, cells, ownDepth.bytes() + ownValues.bytes() + stages),
                               b.getPtrTy());
}

ArrayRef<unsigned> WarpGradientTile::valueResults() const {
  return ofQueries() ? ArrayRef<unsigned>() : ArrayRef<unsigned>(form.dv);
}

void WarpGradientTile::emit(Value *first) {
  own0 = first;
  mask.scope([&] {
    ownDepth.fill(cells, own0);
    ownValues.fill(offset(b, cells, ownDepth.bytes()), own0);
    Value *coarse = b.getFalse();
    if (ofQueries()) {
      constants.read(own0);
      team.barrier();
      coarse = constants.refine(own0);
    }
    Values sums = throughOthers(coarse);
    size_t alongDepth = depthResults().empty() ? 0 : tile.sums(ownDepth.columns());
    write(depthResults(), form.depth, ownDepth, ArrayRef(sums).take_front(alongDepth), form.scale);
    write(valueResults(), form.values, ownValues, ArrayRef(sums).drop_front(alongDepth), 1);
  });
}

MaskBounds::Verdict WarpGradientTile::judge(Value *other0) {
  auto within = [&](int64_t tile, const DimList &dims, Value *first) {
    return minimum(b, b.getInt64(tile), b.CreateNSWSub(frame.extent(dims), first));
  };
  Value *owned = within(schedule.getRows(), ownDims(), own0);
  Value *others = within(columns(), otherDims(), other0);
  return mask.judge(ofQueries() ? TaskRange{buffers.batch, own0, owned, other0, others}
                                : TaskRange{buffers.batch, other0, others, own0, owned});
}

Values WarpGradientTile::throughOthers(Value *coarse) {
  TileRing ring{b,
                offset(b, cells, ownDepth.bytes() + ownValues.bytes()),
                unsigned(schedule.getStages()),
                otherDepth.bytes() + otherValues.bytes(),
                frame.extent(otherDims()),
                columns()};
  Values first;
  if (!depthResults().empty())
    append_range(first, tile.zero(ownDepth.columns()));
  if (!valueResults().empty())
    append_range(first, tile.zero(ownValues.columns()));
  return ring.through(
      first, [&](Value *other0) { return judge(other0).never; },
      [&](Value *stage, Value *other0) {
        otherDepth.fill(stage, other0);
        otherValues.fill(offset(b, stage, otherDepth.bytes()), other0);
      },
      [&](Value *stage, Value *other0, ArrayRef<Value *> carried) {
        if (ofQueries())
          return add(carried, stage, other0, coarse);
        constants.read(other0);
        team.barrier();
        return add(carried, stage, other0, constants.refine(other0));
      });
}

WarpGradientTile::Place WarpGradientTile::placeOf(unsigned number, Value *other0) const {
  Value *own = tile.row(WarpTile::rowOf(number, columns())),
        *other = tile.column(number, columns());
  Value *first = b.CreateNSWAdd(own0, own), *second = b.CreateNSWAdd(other0, other);
  return ofQueries() ? Place{first, second, own} : Place{second, first, other};
}

Values WarpGradientTile::kept(Value *other0) {
  Values exist;
  for (unsigned i = 0; i < tile.sums(columns()); ++i) {
    Place at = placeOf(i, other0);
    exist.push_back(b.CreateAnd(b.CreateICmpSLT(at.query, frame.extent(form.rows)),
                                b.CreateICmpSLT(at.key, frame.extent(form.keys))));
  }
  return choose(
      b, judge(other0).always, [&] { return exist; },
      [&] {
        Values kept;
        for (auto [i, exists] : enumerate(exist)) {
          Place at = placeOf(i, other0);
          kept.push_back(b.CreateAnd(exists, mask.keeps(buffers.batch, at.query, at.key)));
        }
        return kept;
      });
}

Values WarpGradientTile::exactScores(Value *other0) {
  Values scores;
  auto within = [&](Value *index, const DimList &dims) {
    return minimum(b, index, b.CreateNSWSub(frame.extent(dims), b.getInt64(1)));
  };
  for (unsigned i = 0; i < tile.sums(columns()); ++i) {
    Place at = placeOf(i, other0);
    scores.push_back(constants.score(within(at.query, form.rows), within(at.key, form.keys)));
  }
  return scores;
}

Values WarpGradientTile::add(ArrayRef<Value *> before, Value *stage, Value *other0, Value *coarse) {
  Value *depthStage = stage, *valueStage = offset(b, stage, otherDepth.bytes());
  Values scores = choose(
      b, coarse, [&] { return exactScores(other0); },
      [&] {
        Values products = tile.scores({ownDepth, cells}, {otherDepth, depthStage}, columns());
        for (Value *&score : products)
          score = b.CreateFMul(score, number(form.scale));
        return products;
      });
  Values gradients = tile.scores({ownValues, offset(b, cells, ownDepth.bytes())},
                                 {otherValues, valueStage}, columns());
  Values counts = kept(other0), weights, slopes;
  for (auto [i, score] : enumerate(scores)) {
    Value *query = placeOf(i, other0).inTile;
    Value *below = b.CreateFSub(b.CreateFSub(score, constants.shift(query)), constants.rest(query));
    Value *weight = b.CreateSelect(counts[i], exponentialBelowZero(b, below), number(0));
    weights.push_back(weight);
    slopes.push_back(b.CreateFMul(weight, b.CreateFSub(gradients[i], constants.product(query))));
  }
  size_t alongDepth = depthResults().empty() ? 0 : tile.sums(ownDepth.columns());
  Values sums;
  if (!depthResults().empty())
    append_range(
        sums, tile.add(slopes, columns(), {otherDepth, depthStage}, before.take_front(alongDepth)));
  if (!valueResults().empty())
    append_range(sums, tile.add(weights, columns(), {otherValues, valueStage},
                                before.drop_front(alongDepth)));
  return sums;
}

void WarpGradientTile::write(ArrayRef<unsigned> results, const DimList &along,
                             const StagedMatrix &matrix, ArrayRef<Value *> sums, double factor) {
  if (results.empty())
    return;
  for (unsigned which = 0; which < tile.rowsEach(); ++which) {
    Value *row = b.CreateNSWAdd(own0, tile.row(which));
    when(b, b.CreateICmpSLT(row, frame.extent(ownDims())), [&] {
      for (auto [i, sum] : enumerate(sums)) {
        if (WarpTile::rowOf(i, matrix.columns()) != which)
          continue;
        Value *column = tile.column(i, matrix.columns());
        when(b, b.CreateICmpSLT(column, frame.extent(along)), [&] {
          for (unsigned result : results)
            buffers.store(b.CreateFMul(sum, number(factor)), result, {ownDims(), row},
                          {along, column});
        });
      }
    });
  }
}

} // namespace weft::gpu
