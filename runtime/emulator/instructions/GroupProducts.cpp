// Products by four warps, of matrices in shared memory, that go on by themselves (wgmma). A warp
// computes its own 16 rows of 64 when its lanes have come together; nothing of them is to be seen
// before they have waited.
#include "runtime/emulator/Cluster.h"
#include "runtime/emulator/Products.h"
#include "runtime/emulator/numbers/Descriptor.h"
#include "runtime/emulator/numbers/Elements.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace weft::emulator;

namespace {
constexpr unsigned mostDeep = 16, vectorColumns = 16;
typedef float Vector __attribute__((vector_size(vectorColumns * sizeof(float))));

/// How a product is made: bits.
enum Flags : uint32_t { leftTransposed = 1, rightTransposed = 2, keeps = 4 };

/// What a lane brings to one.
struct Given {
  float *sums;
  const uint32_t *left; ///< registers; null: from shared memory
  uint64_t leftMatrix, rightMatrix;
  uint32_t columns, element, flags;
  uint16_t site;
};

[[noreturn]] void refuse(uint16_t site, const std::string &text) {
  Thread &thread = Cluster::running();
  thread.block->cluster.fail(thread.block->cluster.named(thread) + " at " + std::to_string(site) +
                             ": " + text);
}

WarpProducts &own(Thread &thread) {
  std::unique_ptr<Products> &all = thread.block->products[thread.warp() / warpsOfGroup];
  if (!all) {
    all = std::make_unique<Products>();
    for (WarpProducts &each : all->warps)
      each.agent = thread.block->cluster.agents++;
  }
  return all->warps[thread.warp() % warpsOfGroup];
}

// What registers hold that stand for sums: a NaN with the number of the sums and of the register.
float standsFor(unsigned sums, unsigned which) {
  return std::bit_cast<float>(0xffc00000u | sums << 7 | which);
}
bool isStanding(float value, unsigned &sums, unsigned &which) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  sums = bits >> 7 & 0x7fff;
  which = bits & 127;
  return bits >> 22 == 0x3ff;
}

// Where a lane's register is in its warp's sums.
unsigned rowOf(unsigned lane, unsigned which) {
  return lane / 4 + which % 4 / 2 * 8;
}
unsigned columnOf(unsigned lane, unsigned which) {
  return which / 4 * 8 + lane % 4 * 2 + which % 2;
}

template <class Element> void spread(const char *piece, float *to, unsigned step) {
  uint32_t words[4];
  memcpy(words, piece, sizeof words);
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned which = 0; which < Element::perRegister; ++which)
      to[(i * Element::perRegister + which) * step] = Element::value(words[i], which);
}

/// A side of a product as floats: of element (row, deep) at row * rowStep + deep * deepStep.
template <class Element>
void decode(const Descriptor &matrix, bool transposed, unsigned firstRow, unsigned rows, float *to,
            unsigned rowStep, unsigned deepStep, Pieces &pieces) {
  unsigned together = matrix.together(), deep = 8 * Element::perRegister;
  for (unsigned row = 0; row < rows; row += transposed ? together : 1)
    for (unsigned k = 0; k < deep; k += transposed ? 1 : together) {
      char *piece = matrix.piece(firstRow + row, k);
      spread<Element>(piece, to + row * rowStep + k * deepStep, transposed ? rowStep : deepStep);
      pieces.push_back({reinterpret_cast<uintptr_t>(piece), 16});
    }
}

WEFT_EMULATOR_FAST void multiply(const float (*left)[mostDeep], const float *right, unsigned deep,
                                 float *sums, unsigned pitch) {
  constexpr unsigned rowsAtOnce = 8;
  for (unsigned column = 0; column < pitch; column += vectorColumns)
    for (unsigned first = 0; first < rowsOfWarp; first += rowsAtOnce) {
      Vector sum[rowsAtOnce];
      for (unsigned row = 0; row < rowsAtOnce; ++row)
        memcpy(&sum[row], sums + (first + row) * pitch + column, sizeof(Vector));
      for (unsigned k = 0; k < deep; ++k) {
        Vector other;
        memcpy(&other, right + k * pitch + column, sizeof other);
        for (unsigned row = 0; row < rowsAtOnce; ++row)
          sum[row] += left[first + row][k] * other;
      }
      for (unsigned row = 0; row < rowsAtOnce; ++row)
        memcpy(sums + (first + row) * pitch + column, &sum[row], sizeof(Vector));
    }
}

/// The product that this warp comes to, which the first warp of the group begins.
GroupProduct &productOf(Products &all, WarpProducts &warp, const Given &given) {
  uint64_t number = warp.number++ - all.first;
  if (number == all.open.size()) {
    all.open.emplace_back();
    GroupProduct &made = all.open.back();
    made.left = given.leftMatrix;
    made.right = given.rightMatrix;
    made.site = given.site;
    made.columns = given.columns;
    made.pitch = (given.columns + vectorColumns - 1) / vectorColumns * vectorColumns;
  }
  GroupProduct &product = all.open[number];
  if (product.site != given.site || product.right != given.rightMatrix ||
      (!given.left && product.left != given.leftMatrix))
    refuse(given.site, "the four warps of a group multiply different matrices: others are at " +
                           std::to_string(product.site));
  return product;
}

/// The sums that a warp's registers stand for, or new ones of what they hold.
unsigned sumsOf(Meeting &meeting, WarpProducts &warp, const GroupProduct &product, bool keep) {
  unsigned number = ~0u, sums, which;
  const Given &first = meeting.from<Given>(0);
  unsigned registers = product.columns / 2;
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane) {
    const Given &given = meeting.from<Given>(lane);
    if (given.rightMatrix != first.rightMatrix || given.leftMatrix != first.leftMatrix)
      refuse(given.site, "lanes of a warp multiply different matrices");
    for (unsigned i = 0; i < registers; ++i) {
      bool stands = isStanding(given.sums[i], sums, which);
      if (lane == 0 && i == 0 && stands)
        number = sums;
      else if (keep && (stands ? sums != number || which != i : number != ~0u))
        refuse(given.site, "sums of products that were not waited for are mixed with others");
    }
  }
  if (number != ~0u && number < warp.sums.size() && warp.sums[number].columns == product.columns)
    return number;
  if (number != ~0u && keep)
    refuse(first.site, "sums of products of another width were not waited for");
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    if (!warp.fenced[lane])
      refuse(first.site, "registers become sums of products without a fence (wgmma.fence) before");
  auto free = std::find_if(warp.sums.begin(), warp.sums.end(),
                           [](const WarpSums &each) { return !each.holding; });
  if (free == warp.sums.end())
    free = warp.sums.insert(free, WarpSums());
  free->columns = product.columns;
  free->pitch = product.pitch;
  free->values.assign(size_t(rowsOfWarp) * product.pitch, 0);
  if (keep)
    for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
      for (unsigned i = 0; i < registers; ++i)
        free->values[rowOf(lane, i) * product.pitch + columnOf(lane, i)] =
            meeting.from<Given>(lane).sums[i];
  return free - warp.sums.begin();
}

template <class Element> void multiplyAll(Meeting &meeting) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  const Given &given = meeting.from<Given>(0);
  WarpProducts &warp = own(thread);
  Products &all = *thread.block->products[thread.warp() / warpsOfGroup];
  unsigned place = thread.warp() % warpsOfGroup;
  constexpr unsigned deep = 8 * Element::perRegister, each = Element::perRegister;
  GroupProduct &product = productOf(all, warp, given);
  bool keep = given.flags & keeps;
  unsigned number = sumsOf(meeting, warp, product, keep);
  WarpSums &sums = warp.sums[number];
  if (!keep)
    std::fill(sums.values.begin(), sums.values.end(), 0);

  Pieces pieces;
  bool transposed = given.flags & rightTransposed;
  Descriptor right(given.rightMatrix, 4 / each, transposed, thread.block->shared);
  Descriptor left(given.leftMatrix, 4 / each, given.flags & leftTransposed, thread.block->shared);
  if (!right.isKnown() || (!given.left && !left.isKnown()))
    refuse(given.site, "a matrix whose pattern begins elsewhere than at its multiple");
  if (product.values.empty() || cluster.shadow) {
    product.values.assign(size_t(deep) * product.pitch, 0);
    decode<Element>(right, transposed, 0, product.columns, product.values.data(), 1, product.pitch,
                    pieces);
  }
  alignas(64) float rows[rowsOfWarp][mostDeep];
  if (given.left)
    for (unsigned lane = 0; lane < lanesOfWarp; ++lane) {
      const uint32_t *registers = meeting.from<Given>(lane).left;
      for (unsigned i = 0; i < 4; ++i)
        for (unsigned which = 0; which < each; ++which)
          rows[lane / 4 + i % 2 * 8][lane % 4 * each + which + i / 2 * 4 * each] =
              Element::value(registers[i], which);
    }
  else
    decode<Element>(left, given.flags & leftTransposed, place * rowsOfWarp, rowsOfWarp, rows[0],
                    mostDeep, 1, pieces);
  multiply(rows, product.values.data(), deep, sums.values.data(), product.pitch);

  sums.group = warp.committed[thread.lane()];
  sums.holding = ~0u;
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    for (unsigned i = 0; i < product.columns / 2; ++i)
      meeting.from<Given>(lane).sums[i] = standsFor(number, i);
  if (cluster.shadow) {
    ProductReads reads;
    reads.operation = cluster.operations.begin("a product", given.site, thread.index);
    reads.site = given.site;
    reads.group = sums.group;
    reads.pieces = std::move(pieces);
    begins(cluster, reads.operation, reads.pieces, false, Path::copies, given.site);
    warp.reads.push_back(std::move(reads));
  }
  unsigned columns = product.columns;
  if (++product.came == warpsOfGroup) {
    all.open.pop_front();
    ++all.first;
    ++cluster.counts.groupProducts;
    (each == 1 ? cluster.counts.tf32Flops : cluster.counts.tensorFlops) +=
        2ull * 64 * columns * deep;
    cluster.counts.sharedMatrixBytes += (columns + (given.left ? 0 : 64)) * 32;
  }
}

/// What the warp's products read before its last `count` groups may be written again.
void endReads(Meeting &meeting) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  WarpProducts &warp = own(thread);
  uint32_t done = warp.committed[thread.lane()] - meeting.from<uint32_t>(thread.lane());
  ++warp.landings;
  std::erase_if(warp.reads, [&](const ProductReads &each) {
    if (int32_t(done - each.group) <= 0)
      return false;
    Access as{cluster.launch, cluster.number,       cluster.era,
              warp.landings,  uint16_t(warp.agent), each.site};
    as.kind = Access::landed;
    ends(cluster, each.pieces, false, as);
    cluster.operations.end(each.operation);
    return true;
  });
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    note(cluster.warpOf(thread).threads[lane].knows.landed, warp.agent, warp.landings);
}
} // namespace

extern "C" {

void weft_emulated_group_product(float *sums, const uint32_t *left, uint64_t leftMatrix,
                                 uint64_t rightMatrix, uint32_t columns, uint32_t element,
                                 uint32_t flags, uint16_t site) {
  Cluster &cluster = Cluster::current();
  Given given{sums, left, leftMatrix, rightMatrix, columns, element, flags, site};
  cluster.meet(-1, "a product of four warps", site, &given, nullptr,
               element == uint32_t(ElementKind::tf32)       ? multiplyAll<Tf32>
               : element == uint32_t(ElementKind::bfloat16) ? multiplyAll<Bfloat16>
                                                            : multiplyAll<Float16>);
}

/// Registers that were written before may be sums of products after it.
void weft_emulated_group_fence() {
  Thread &thread = Cluster::running();
  own(thread).fenced[thread.lane()] = true;
}

void weft_emulated_group_commit() {
  Thread &thread = Cluster::running();
  ++own(thread).committed[thread.lane()];
}

/// Until at most `count` of the last groups are under way; of these registers, those that stand for
/// sums that are done become them.
void weft_emulated_group_wait(float *sums, uint32_t registers, uint32_t count, uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  if (cluster.shadow)
    cluster.meet(-1, "a wait for products", site, &count, nullptr, endReads);
  WarpProducts &warp = own(thread);
  unsigned lane = thread.lane(), number, which;
  warp.fenced[lane] = false;
  uint32_t done = warp.committed[lane] - count;
  for (unsigned i = 0; i < registers; ++i) {
    if (!isStanding(sums[i], number, which) || number >= warp.sums.size())
      continue;
    WarpSums &of = warp.sums[number];
    if (int32_t(done - of.group) <= 0)
      continue;
    sums[i] = of.values[rowOf(lane, which) * of.pitch + columnOf(lane, which)];
    of.holding &= ~(1u << lane);
  }
}

} // extern "C"
