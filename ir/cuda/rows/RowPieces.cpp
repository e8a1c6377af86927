// What threads of rows read and write at once, and whether they have a row in registers.
#include "ir/cuda/rows/RowPieces.h"

#include "ir/kernel/Walk.h"
#include "ir/model/Traits.h"

#include <numeric>

using namespace mlir;
using weft::kernel::LayoutAttr;
using weft::kernel::RowProgram;

namespace weft::cuda {

//===-- What is kept
//---------------------------------------------------------------------------------------===//

/// Whether all that costs much in `value` is exp, which a device has itself.
static bool isCheap(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || kernel::isReduction(op))
    return true;
  if (!kernel::isElementwise(op) || (op->hasTrait<model::Heavy>() && !isa<model::ExpOp>(op)))
    return false;
  return llvm::all_of(op->getOperands(), isCheap);
}

FailureOr<kernel::ExpandedRows> expandedFor(kernel::FusedOp op, const kernel::DimTable &dims) {
  FailureOr<kernel::ExpandedRows> expanded = kernel::expandRows(op, dims);
  if (failed(expanded) || op.getFamily() == kernel::Family::table) // f64: no exp of the device's
    return expanded;
  expanded->program.cached.remove_if([](const auto &kept) { return isCheap(kept.first); });
  return expanded;
}

//===-- Pieces
//---------------------------------------------------------------------------------------===//

unsigned RowPieces::all() const {
  return std::accumulate(beside.begin(), beside.end(), 0u);
}

namespace {

/// One buffer of a kernel.
struct Buffer {
  LayoutAttr layout;
  int64_t bytes; ///< of an element
};

SmallVector<Buffer> buffersOf(kernel::FusedOp op) {
  SmallVector<Buffer> all;
  for (auto [i, attribute] : llvm::enumerate(op.getLayoutsAttr())) {
    unsigned operands = op.getNumOperands();
    Value value = i < operands ? op.getOperand(i) : Value(op.getResult(i - operands));
    model::StorageType storage = kernel::storageOf(model::typeOf(value), attribute);
    all.push_back({cast<LayoutAttr>(attribute), model::bytesOf(storage, 1)});
  }
  return all;
}

class Pieces {
public:
  Pieces(const RowProgram &program, const kernel::DimTable &dims, ArrayRef<unsigned> alignments,
         int64_t vector)
      : program(program), dims(dims), alignments(alignments), vector(vector),
        buffers(buffersOf(program.op)) {}

  /// From lane 0, or from where the row of buffer `reference` is at a multiple.
  RowPieces all(std::optional<unsigned> reference) const {
    RowPieces result;
    result.shiftedBy = reference;
    for (unsigned number = 0; number < buffers.size(); ++number)
      result.beside.push_back(pieceOf(number, reference));
    return result;
  }

  /// The first of the buffers with most dimensions whose elements lie side by side, and of which a
  /// row has one stretch: where lanes begin may not change within it, for a thread keeps its own.
  std::optional<unsigned> reference() const {
    std::optional<unsigned> best;
    for (unsigned number = 0; number < buffers.size(); ++number)
      if (isAlong(number) && isOfRow(number) &&
          (!best ||
           buffers[number].layout.getDims().size() > buffers[*best].layout.getDims().size()))
        best = number;
    return best;
  }

private:
  Size strideOf(unsigned number, model::DimAttr dim) const {
    return dims.folded(buffers[number].layout.stride(dim).value_or(Size::number(0)));
  }

  bool isAlong(unsigned number) const {
    return !program.lanes.empty() && strideOf(number, program.lanes.back()) == Size::number(1);
  }

  bool isOfRow(unsigned number) const {
    return llvm::all_of(buffers[number].layout.getDims(), [&](model::DimAttr dim) {
      return llvm::is_contained(program.outer, dim) || llvm::is_contained(program.lanes, dim);
    });
  }

  unsigned pieceOf(unsigned number, std::optional<unsigned> reference) const {
    constexpr int64_t most = 16; // bytes
    const Buffer &buffer = buffers[number];
    if (!isAlong(number))
      return 1;
    int64_t alignment = number < alignments.size() ? alignments[number] : buffer.bytes;
    int64_t count = std::min(vector, most / buffer.bytes);
    model::DimList all(buffer.layout.getDims());
    if (reference)
      llvm::append_range(all, buffers[*reference].layout.getDims());
    auto fits = [&] {
      return alignment % (count * buffer.bytes) == 0 && llvm::all_of(all, [&](model::DimAttr dim) {
               if (llvm::is_contained(program.lanes, dim)) // at its first position, or along
                 return true;
               Size stride = strideOf(number, dim);
               return kernel::isMultiple(reference ? stride - strideOf(*reference, dim) : stride,
                                         count);
             });
    };
    while (count > 1 && !fits())
      count /= 2;
    return unsigned(count);
  }

  const RowProgram &program;
  const kernel::DimTable &dims;
  ArrayRef<unsigned> alignments;
  int64_t vector;
  SmallVector<Buffer> buffers;
};

} // namespace

RowProgram alongScatter(const kernel::ScatterForm &form, const kernel::DimTable &dims) {
  RowProgram program = form.program;
  program.lanes.clear();
  auto result = cast<LayoutAttr>(program.op.getLayoutsAttr().getValue().back());
  for (model::DimAttr dim : form.further)
    if (std::optional<Size> stride = result.stride(dim);
        dim != form.dim && stride && dims.folded(*stride) == Size::number(1)) {
      program.lanes = {dim};
      break;
    }
  return program;
}

SmallVector<unsigned> usualAlignments(kernel::FusedOp op) {
  constexpr unsigned usual = 16;
  return SmallVector<unsigned>(op.getLayoutsAttr().size(), usual);
}

RowPieces piecesFromStart(const RowProgram &program, const kernel::DimTable &dims,
                          ArrayRef<unsigned> alignments, int64_t vector) {
  return Pieces(program, dims, alignments, vector).all(std::nullopt);
}

RowPieces piecesOf(const RowProgram &program, const kernel::DimTable &dims,
                   ArrayRef<unsigned> alignments, int64_t vector) {
  Pieces pieces(program, dims, alignments, vector);
  RowPieces plain = pieces.all(std::nullopt);
  std::optional<unsigned> reference = pieces.reference();
  if (program.lanesOuter || vector == 1 || !reference)
    return plain;
  RowPieces shifted = pieces.all(reference);
  return shifted.all() > plain.all() ? shifted : plain;
}

//===-- Rows in registers
//---------------------------------------------------------------------------------------===//

bool holdsRows(const RowProgram &program, const kernel::DimTable &dims, int64_t lanesAtOnce) {
  if (program.lanesOuter || program.lanes.empty() || !program.cached.empty())
    return false;
  std::optional<int64_t> lanes = dims.known(kernel::sizeOf(program.lanes));
  if (!lanes || *lanes > lanesAtOnce)
    return false;
  for (const kernel::RowStage &stage : program.stages)
    if (!stage.spread.empty() || llvm::any_of(stage.reductions, [&](Operation *reduction) {
          return program.inMemory(reduction);
        }))
      return false;
  // What is read elsewhere has no place where a lane is none.
  bool moves = false;
  program.op->walk([&](model::Moving) { moves = true; });
  return !moves || *lanes == lanesAtOnce;
}

// A multiprocessor waits least where 40 KB or more are on their way to it (Little's law), and
// columns are so few that it often has one block of 512 threads: up to 128 bytes each, in 32
// registers.
int64_t termsAtOnce(const RowProgram &program, int64_t vector) {
  constexpr int64_t inFlight = 128, most = 8;
  kernel::FusedOp op = program.op;
  int64_t bytes = 0;
  for (auto [operand, layout] : llvm::zip(op.getBody().getArguments(), op.getLayoutsAttr()))
    if (program.hasLanes(operand))
      bytes += model::bytesOf(kernel::storageOf(model::typeOf(operand), layout), vector);
  return std::clamp<int64_t>(inFlight / std::max<int64_t>(bytes, 1), 1, most);
}

} // namespace weft::cuda
