// Which lane names which row, and what comes out where: PTX ISA, "Matrix fragments for
// mma.m16n8k16".
#include "codegen/gpu/instructions/Mma.h"

#include "codegen/gpu/instructions/Assembly.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

/// Four matrices of 8 rows of 16 bytes, each named by 8 lanes.
static std::array<Value *, 4> loadMatrices(Builder &builder, Value *row, bool transposed) {
  Intrinsic::ID id = transposed ? Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16
                                : Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16;
  Value *all = builder.CreateIntrinsic(id, {row->getType()}, {row});
  std::array<Value *, 4> registers;
  for (unsigned i = 0; i < 4; ++i)
    registers[i] = builder.CreateExtractValue(all, i);
  return registers;
}

/// Where this lane's row of one of four matrices lies, which are two along the tile's rows and two
/// along its pieces of 16 bytes; `rowsFirst`: the second matrix is the next one along the rows.
static Value *rowOfFour(Builder &builder, const SharedTile &tile, Value *row, Value *chunk,
                        bool rowsFirst) {
  Value *lane = laneOf(builder);
  Value *first = builder.CreateAnd(builder.CreateLShr(lane, 3), 1);
  Value *second = builder.CreateLShr(lane, 4);
  Value *down = builder.CreateAdd(builder.CreateAnd(lane, 7),
                                  builder.CreateShl(rowsFirst ? first : second, 3));
  return tile.chunk(builder, builder.CreateAdd(row, down),
                    builder.CreateAdd(chunk, rowsFirst ? second : first));
}

static Value *chunkOf(Builder &builder, Value *elements, Element element) {
  return builder.CreateLShr(elements, Log2_32(chunkBytes / bytesOf(element)));
}

/// Of a tile of four-byte elements whose rows are across: what the lane has of a fragment, from
/// `across` and `depth` on. ldmatrix turns elements of two bytes alone.
static Value *loadTurned(Builder &builder, const SharedTile &tile, Value *across, unsigned depth) {
  constexpr unsigned bytes = 4, inChunk = chunkBytes / bytes;
  Value *lane = laneOf(builder);
  Value *deep = builder.CreateAdd(builder.CreateAnd(lane, 3), builder.getInt32(depth));
  Value *wide = builder.CreateAdd(builder.CreateLShr(lane, 2), across);
  Value *chunk = tile.chunk(builder, deep, builder.CreateLShr(wide, Log2_32(inChunk)));
  Value *rest = builder.CreateShl(builder.CreateAnd(wide, inChunk - 1), Log2_32(bytes));
  return builder.CreateAlignedLoad(builder.getInt32Ty(), offset(builder, chunk, rest),
                                   Align(bytes));
}

LeftFragment loadLeft(Builder &builder, const SharedTile &tile, Element element, bool transposed,
                      Value *row, unsigned depth) {
  if (transposed && element == Element::tf32) {
    LeftFragment left;
    for (unsigned i = 0; i < 4; ++i)
      left.registers[i] =
          loadTurned(builder, tile, builder.CreateAdd(row, builder.getInt32(8 * (i % 2))),
                     depth + 4 * (i / 2));
    return left;
  }
  Value *deep = builder.getInt32(depth);
  Value *place = transposed ? rowOfFour(builder, tile, deep, chunkOf(builder, row, element), false)
                            : rowOfFour(builder, tile, row, chunkOf(builder, deep, element), true);
  return {loadMatrices(builder, place, transposed)};
}

std::array<RightFragment, 2> loadRight(Builder &builder, const SharedTile &tile, Element element,
                                       bool transposed, Value *column, unsigned depth) {
  if (transposed && element == Element::tf32) {
    std::array<RightFragment, 2> right;
    for (unsigned i = 0; i < 4; ++i)
      right[i / 2].registers[i % 2] =
          loadTurned(builder, tile, builder.CreateAdd(column, builder.getInt32(8 * (i / 2))),
                     depth + 4 * (i % 2));
    return right;
  }
  Value *deep = builder.getInt32(depth);
  Value *place = transposed
                     ? rowOfFour(builder, tile, deep, chunkOf(builder, column, element), true)
                     : rowOfFour(builder, tile, column, chunkOf(builder, deep, element), false);
  std::array<Value *, 4> all = loadMatrices(builder, place, transposed);
  return {RightFragment{{all[0], all[1]}}, RightFragment{{all[2], all[3]}}};
}

static Value *bitsOfTf32(Builder &builder, Value *value) {
  return builder.CreateIntrinsic(Intrinsic::nvvm_f2tf32_rna, value);
}

Value *asTf32(Builder &builder, Value *value) {
  return builder.CreateBitCast(bitsOfTf32(builder, value), builder.getFloatTy());
}

template <class Fragment>
static Fragment roundedFragment(Builder &builder, Element element, Fragment fragment) {
  if (element == Element::tf32)
    for (Value *&each : fragment.registers)
      each = bitsOfTf32(builder, builder.CreateBitCast(each, builder.getFloatTy()));
  return fragment;
}

LeftFragment rounded(Builder &builder, Element element, LeftFragment fragment) {
  return roundedFragment(builder, element, fragment);
}

RightFragment rounded(Builder &builder, Element element, RightFragment fragment) {
  return roundedFragment(builder, element, fragment);
}

Sums Sums::zero(Builder &builder) {
  Sums sums;
  sums.values.fill(ConstantFP::get(builder.getFloatTy(), 0));
  return sums;
}

Value *Sums::rowOf(Builder &builder, unsigned half) {
  return builder.CreateAdd(builder.CreateLShr(laneOf(builder), 2), builder.getInt32(8 * half));
}

Value *Sums::columnOf(Builder &builder) {
  return builder.CreateShl(builder.CreateAnd(laneOf(builder), 3), 1);
}

Sums multiply(Builder &builder, Element element, const LeftFragment &left,
              const RightFragment &right, const Sums &sums) {
  Intrinsic::ID id = element == Element::bfloat16  ? Intrinsic::nvvm_mma_m16n8k16_row_col_bf16
                     : element == Element::float16 ? Intrinsic::nvvm_mma_m16n8k16_row_col_f32_f32
                                                   : Intrinsic::nvvm_mma_m16n8k8_row_col_tf32;
  SmallVector<Value *> arguments;
  auto add = [&](Value *value) {
    if (element == Element::float16)
      value = builder.CreateBitCast(value, FixedVectorType::get(builder.getHalfTy(), 2));
    arguments.push_back(value);
  };
  for_each(left.registers, add);
  for_each(right.registers, add);
  append_range(arguments, sums.values);
  Value *all = builder.CreateIntrinsic(id, arguments);
  Sums result;
  for (unsigned i = 0; i < 4; ++i)
    result.values[i] = builder.CreateExtractValue(all, i);
  return result;
}

void storeMatrices(Builder &builder, Value *row, ArrayRef<Value *> registers, bool transposed) {
  const Intrinsic::ID plain[] = {Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x1_b16,
                                 Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x2_b16,
                                 Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x4_b16};
  const Intrinsic::ID turned[] = {Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x1_trans_b16,
                                  Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x2_trans_b16,
                                  Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x4_trans_b16};
  SmallVector<Value *> arguments = {row};
  append_range(arguments, registers);
  builder.CreateIntrinsic((transposed ? turned : plain)[Log2_32(registers.size())],
                          {row->getType()}, arguments);
}

Value *packed(Builder &builder, Element element, Value *first, Value *second) {
  if (element == Element::bfloat16)
    return narrowed(builder, first, second);
  return builder.CreateBitCast(
      builder.CreateIntrinsic(Intrinsic::nvvm_ff2f16x2_rn, {second, first}), builder.getInt32Ty());
}

} // namespace weft::gpu
