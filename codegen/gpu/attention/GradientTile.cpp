// What a block of the gradient of attention computes.
#include "codegen/gpu/attention/GradientTile.h"

#include "codegen/emit/math/VectorMath.h"

using namespace llvm;

namespace weft::gpu {

static ThreadTile::Shape shapeOf(cuda::AttentionGradAttr schedule) {
  return {schedule.getThreadRows(), schedule.getThreadColumns(),
          schedule.getRows() / schedule.getThreadRows(), schedule.across()};
}

static int64_t known(Frame frame, const DimList &dims) {
  return frame.emission.known(sizeOf(dims)).value_or(0);
}

static AttentionForm atShared(AttentionForm form) {
  form.batch = form.shared;
  return form;
}

GradientTile::GradientTile(const cuda::GradientOwner &owner, Frame frame, kernel::FusedOp op,
                           const GradientGrid::Place &at, Team &team,
                           cuda::AttentionGradAttr schedule, Value *cells)
    : owner(owner), at(at), frame(frame), b(frame.builder), form(owner.form),
      buffers{frame, op, form, at.position}, formOfResults(atShared(form)),
      results{frame, op, formOfResults, at.position}, team(team), schedule(schedule),
      depth(known(frame, form.depth)), values(known(frame, form.values)), cells(cells),
      mask(frame, op, form), thread(b, team, shapeOf(schedule)), ownDepth(side(ownRows(), depth)),
      ownValues(side(ownRows(), values)), otherDepth(side(columns(), thread.wholeColumns(depth))),
      otherValues(side(columns(), thread.wholeColumns(values))),
      weights(side(ownRows(), columns())), slopes(side(ownRows(), columns())),
      bias(owner, team, thread, slopes),
      constants(buffers, team, queryCount(), take(RowConstants::bytes(queryCount()))) {
  assert(taken <= schedule.sharedBytes(depth, values) && "a tile shares what its schedule says");
}

Value *GradientTile::take(unsigned bytes) {
  Value *place = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), cells, taken);
  taken += bytes;
  return place;
}

StagedSide GradientTile::side(int64_t across, int64_t depth) {
  StagedSide::Tile tile{unsigned(across), unsigned(depth)};
  return {frame, team, tile, take(tile.bytes())};
}

void GradientTile::stage(StagedSide &side, const StagedSide::Matrix &matrix, Value *first) {
  side.enter(matrix, first);
  side.put(side.fetch(zero()), zero());
}

ArrayRef<unsigned> GradientTile::valueResults() const {
  return ofQueries() ? ArrayRef<unsigned>() : ArrayRef<unsigned>(form.dv);
}

void GradientTile::emit() {
  mask.scope([&] {
    State state = throughPositions();
    write(depthResults(), form.depth, depth, state.depth, form.scale);
    write(valueResults(), form.values, values, state.values, 1);
    bias.write(results, state.bias, at.row, at.column);
  });
}

size_t GradientTile::sums(ArrayRef<unsigned> results, int64_t count) const {
  return results.empty() ? 0 : size_t(thread.shape.rows * thread.columnsOf(count));
}

GradientTile::State GradientTile::unpacked(ArrayRef<Value *> all) const {
  size_t alongDepth = sums(depthResults(), depth), alongValues = sums(valueResults(), values);
  return {Values(all.take_front(alongDepth)), Values(all.slice(alongDepth, alongValues)),
          Values(all.drop_front(alongDepth + alongValues))};
}

GradientTile::State GradientTile::throughPositions() {
  Values none(sums(depthResults(), depth) + sums(valueResults(), values) + bias.count(), number(0));
  if (form.summed.empty())
    return throughOwn(unpacked(none));
  Value *count = frame.extent(form.summed), *first = b.CreateNSWMul(at.position, count);
  return unpacked(carryingLoop(b, zero(), count, b.getInt64(1), none,
                               [&](Value *number, ArrayRef<Value *> carried) {
                                 buffers.batch = b.CreateNSWAdd(first, number);
                                 buffers.batch->setName("position");
                                 team.barrier(); // what lay in shared memory has been read
                                 return throughOwn(unpacked(carried)).packed();
                               }));
}

GradientTile::State GradientTile::throughOwn(State state) {
  own0 = at.row;
  if (owner.ownsRows)
    return atOwn(std::move(state));
  return unpacked(carryingLoop(b, zero(), frame.extent(ownDims()), b.getInt64(ownRows()),
                               state.packed(), [&](Value *first, ArrayRef<Value *> carried) {
                                 own0 = first;
                                 team.barrier(); // what lay in shared memory has been read
                                 return atOwn(unpacked(carried)).packed();
                               }));
}

GradientTile::State GradientTile::atOwn(State state) {
  if (!owner.ownsColumns)
    stageOwn();
  return throughOthers(std::move(state));
}

void GradientTile::stageOwn() {
  stage(ownDepth, buffers.matrix(ofQueries() ? form.q : form.k, ownDims(), form.depth, true), own0);
  stage(ownValues,
        buffers.matrix(ofQueries() ? form.gradient : form.v, ownDims(), form.values, true), own0);
  if (ofQueries()) {
    constants.read(own0);
    team.barrier();
    constants.refine(own0);
  }
}

GradientTile::State GradientTile::throughOthers(State state) {
  Value *step = b.getInt64(columns());
  Value *owned = frame.extent(ownDims()), *others = frame.extent(otherDims());
  Value *rows = minimum(b, b.getInt64(ownRows()), b.CreateNSWSub(owned, own0));
  auto through = [&](Value *other0, State state) {
    Value *count = minimum(b, step, b.CreateNSWSub(others, other0));
    MaskBounds::Verdict verdict =
        mask.judge(ofQueries() ? TaskRange{buffers.batch, own0, rows, other0, count}
                               : TaskRange{buffers.batch, other0, count, own0, rows});
    return choose(
        b, verdict.never, [&] { return state.packed(); },
        [&] { return add(state, other0, verdict).packed(); });
  };
  if (owner.ownsColumns)
    return unpacked(through(at.column, std::move(state)));
  return unpacked(carryingLoop(b, zero(), others, step, state.packed(),
                               [&](Value *other0, ArrayRef<Value *> carried) {
                                 return through(other0, unpacked(carried));
                               }));
}

GradientTile::State GradientTile::add(State state, Value *other0,
                                      const MaskBounds::Verdict &verdict) {
  if (owner.ownsColumns)
    stageOwn(); // behind the verdict: a tile that the mask empties brings nothing
  else
    team.barrier(); // what lay in shared memory has been read
  stage(otherDepth,
        buffers.matrix(ofQueries() ? form.k : form.q, otherDims(), form.depth,
                       depth == thread.wholeColumns(depth)),
        other0);
  stage(otherValues,
        buffers.matrix(ofQueries() ? form.v : form.gradient, otherDims(), form.values,
                       values == thread.wholeColumns(values)),
        other0);
  if (!ofQueries())
    constants.read(other0);
  team.barrier();
  if (!ofQueries())
    constants.refine(other0);
  Values slopesOfBias = putWeights(other0, verdict);
  if (owner.ofBias())
    return {{}, {}, bias.add(b, state.bias, slopesOfBias)};
  team.barrier();
  if (!depthResults().empty())
    state.depth = thread.products(slopes, {otherDepth, /*turned=*/true}, thread.columnsOf(depth),
                                  columns(), state.depth, schedule.getUnroll());
  if (!valueResults().empty())
    state.values =
        thread.products(weights, {otherValues, /*turned=*/true}, thread.columnsOf(values),
                        columns(), state.values, schedule.getUnroll());
  return state;
}

Values GradientTile::kept(Value *other0, const MaskBounds::Verdict &verdict) {
  struct Score {
    Value *own, *other;
  };
  SmallVector<Score> scores;
  for (int64_t i = 0; i < thread.shape.rows; ++i)
    for (int64_t j = 0; j < thread.shape.columns; ++j)
      scores.push_back(
          {b.CreateNSWAdd(own0, thread.row(i)), b.CreateNSWAdd(other0, thread.column(j))});
  Value *owned = frame.extent(ownDims()), *others = frame.extent(otherDims());
  Values exist;
  for (const Score &at : scores)
    exist.push_back(b.CreateAnd(b.CreateICmpSLT(at.own, owned), b.CreateICmpSLT(at.other, others)));
  return choose(
      b, verdict.always, [&] { return exist; },
      [&] {
        Values kept;
        for (auto [at, exists] : zip(scores, exist)) {
          Value *query = ofQueries() ? at.own : at.other, *key = ofQueries() ? at.other : at.own;
          kept.push_back(b.CreateAnd(exists, mask.keeps(buffers.batch, query, key)));
        }
        return kept;
      });
}

Values GradientTile::putWeights(Value *other0, const MaskBounds::Verdict &verdict) {
  Values ofBias, none(thread.shape.rows * thread.shape.columns, number(0));
  auto products = [&](StagedSide &own, StagedSide &other, int64_t count) {
    return thread.products(own, {other}, thread.shape.columns, count, none, schedule.getUnroll());
  };
  Values scores = products(ownDepth, otherDepth, depth);
  Values gradients = products(ownValues, otherValues, values);
  Values counts = kept(other0, verdict);
  for (size_t number = 0; number < scores.size(); ++number) {
    Value *own = thread.row(number / thread.shape.columns),
          *other = thread.column(number % thread.shape.columns);
    Value *query = ofQueries() ? own : other; // of the tile
    Value *ownPlace = b.CreateNSWAdd(own0, own), *otherPlace = b.CreateNSWAdd(other0, other);
    Value *row = ofQueries() ? ownPlace : otherPlace, *key = ofQueries() ? otherPlace : ownPlace;
    Value *product = b.CreateFMul(scores[number], this->number(form.scale));
    auto [score, ofProduct] = mask.score(buffers.batch, row, key, product);
    Value *below = b.CreateFSub(score, constants.shift(query));
    Value *weight = math::exp(b, b.CreateFSub(below, constants.rest(query)));
    weight = b.CreateSelect(counts[number], weight, this->number(0));
    Values counted = mask.dropped(buffers.batch, row, key, {gradients[number], weight});
    Value *slope = b.CreateFMul(weight, b.CreateFSub(counted[0], constants.product(query)));
    if (ofProduct && !(owner.ofBias() && !form.cappedBias))
      slope = b.CreateFMul(slope, ofProduct);
    if (owner.ofBias()) {
      ofBias.push_back(slope);
      continue;
    }
    b.CreateStore(slope, slopes.place(zero(), other, own));
    if (!valueResults().empty())
      b.CreateStore(counted[1], weights.place(zero(), other, own));
  }
  return ofBias;
}

void GradientTile::write(ArrayRef<unsigned> numbers, const DimList &along, int64_t count,
                         ArrayRef<Value *> sums, double factor) {
  int64_t each = thread.columnsOf(count);
  for (unsigned result : numbers)
    for (int64_t i = 0; i < thread.shape.rows; ++i) {
      Value *row = b.CreateNSWAdd(at.row, thread.row(i));
      when(b, b.CreateICmpSLT(row, frame.extent(ownDims())), [&] {
        for (int64_t j = 0; j < each; ++j) {
          Value *column = thread.column(j);
          when(b, b.CreateICmpSLT(column, b.getInt64(count)), [&] {
            results.store(b.CreateFMul(sums[i * each + j], number(factor)), result,
                          {ownDims(), row}, {along, column});
          });
        }
      });
    }
}

} // namespace weft::gpu
