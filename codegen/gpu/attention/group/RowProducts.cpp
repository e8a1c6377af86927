// What the gradient of an attention's output and that output give together in each row.
#include "codegen/gpu/attention/group/RowProducts.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/base/Team.h"

using namespace llvm;

namespace weft::gpu {

/// A lane has a chunk of a row; so many lanes side by side have a row.
static constexpr unsigned threads = 256, chunk = 8;

static unsigned lanesOf(int64_t values) {
  return unsigned(PowerOf2Ceil(divideCeil(uint64_t(values), chunk)));
}

static Value *rowsOf(Frame frame, const AttentionForm &form) {
  return frame.builder.CreateNSWMul(frame.extent(form.batch), frame.extent(form.rows));
}

Value *rowProductAt(Frame frame, const AttentionForm &form, Value *scratch, Value *batch,
                    Value *row) {
  IRBuilderBase &b = frame.builder;
  Value *at = b.CreateNSWAdd(b.CreateNSWMul(batch, frame.extent(form.rows)), row);
  return b.CreateInBoundsGEP(b.getFloatTy(), scratch, at);
}

/// The elements of a chunk that exist, as floats.
static Values chunkOf(const AttentionBuffers &buffers, unsigned buffer, Value *row, Value *first,
                      int64_t values) {
  IRBuilderBase &b = buffers.frame.builder;
  const AttentionForm &form = buffers.form;
  if (values % chunk == 0) {
    Value *from = buffers.place(buffer, {form.rows, row}, {form.values, first});
    constexpr unsigned words = chunk / 2;
    Value *all = b.CreateAlignedLoad(FixedVectorType::get(b.getInt32Ty(), words), from, Align(16));
    Values floats;
    for (unsigned i = 0; i < chunk; ++i) {
      Value *both = b.CreateExtractElement(all, i / 2);
      // The first of two is low, and a bf16 is the upper half of a float.
      Value *bits = i % 2 ? b.CreateAnd(both, b.getInt32(0xffff0000)) : b.CreateShl(both, 16);
      floats.push_back(b.CreateBitCast(bits, b.getFloatTy()));
    }
    return floats;
  }
  Values floats;
  for (unsigned i = 0; i < chunk; ++i) {
    Value *at = b.CreateNSWAdd(first, b.getInt64(i));
    floats.push_back(choose(
        b, b.CreateICmpSLT(at, b.getInt64(values)),
        [&] { return Values{buffers.load(buffer, {form.rows, row}, {form.values, at})}; },
        [&] { return Values{ConstantFP::get(b.getFloatTy(), 0)}; })[0]);
  }
  return floats;
}

static void emitProduct(Frame frame, Value *scratch, kernel::FusedOp op, const AttentionForm &form,
                        int64_t values) {
  IRBuilderBase &b = frame.builder;
  unsigned lanes = lanesOf(values);
  Team team(b, threads, lanes);
  Value *all = rowsOf(frame, form), *zero = ConstantFP::get(b.getFloatTy(), 0);
  Value *number =
      b.CreateNSWAdd(b.CreateNSWMul(team.block(), b.getInt64(team.teams())), team.number());
  Value *first = b.CreateNSWMul(team.lane(), b.getInt64(chunk));
  Value *rows = frame.extent(form.rows);
  Value *batch = b.CreateUDiv(number, rows), *row = b.CreateURem(number, rows);
  AttentionBuffers buffers{frame, op, form, batch};
  Value *exists = b.CreateICmpSLT(number, all);
  Value *own = choose(
      b, b.CreateAnd(exists, b.CreateICmpSLT(first, b.getInt64(values))),
      [&]() -> Values {
        Values gradient = chunkOf(buffers, form.gradient, row, first, values);
        Values output = chunkOf(buffers, form.output.front(), row, first, values);
        Value *sum = zero;
        for (auto [one, other] : zip(gradient, output))
          sum = b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()}, {one, other, sum});
        return {sum};
      },
      [&]() -> Values { return {zero}; })[0];
  Value *sum = team.foldNeighbours(
      {own}, lanes, [&](auto x, auto y) { return Team::Several{b.CreateFAdd(x[0], y[0])}; })[0];
  when(b, b.CreateAnd(exists, team.isFirst()),
       [&] { b.CreateStore(sum, rowProductAt(frame, form, scratch, batch, row)); });
}

DeviceKernel emitRowProducts(kernel::FusedOp op, const AttentionForm &form, StringRef name,
                             Emissions emissions) {
  int64_t values = *emissions.device.known(sizeOf(form.values));
  KernelShell shell(op, name, emissions, {.threads = threads});
  emitProduct(shell.frame(), shell.scratch(), op, form, values);
  return shell.finish(
      [&](Frame frame) {
        IRBuilderBase &b = frame.builder;
        return ceilDiv(b, rowsOf(frame, form), b.getInt64(threads / lanesOf(values)));
      },
      [&](Frame frame) {
        return frame.builder.CreateNSWMul(rowsOf(frame, form),
                                          frame.builder.getInt64(sizeof(float)));
      });
}

} // namespace weft::gpu
