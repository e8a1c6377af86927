// Products of small matrices by a warp (mma.sync), summed up in 32 bits.
#include "runtime/emulator/Cluster.h"
#include "runtime/emulator/numbers/Elements.h"

#include <cstring>

using namespace weft::emulator;

namespace {
constexpr unsigned rows = 16, columns = 8, mostDeep = 16;

/// What a lane holds: of the left side four registers, of the right one two, of the sums four.
struct Fragments {
  uint32_t left[4], right[2];
  float sums[4];
};
typedef float Row __attribute__((vector_size(columns * sizeof(float))));

/// 16 rows of sums and as many products as there are numbers in a row of the left side.
WEFT_EMULATOR_FAST void multiply(const float (*left)[mostDeep], const Row *right, unsigned deep,
                                 Row *sums) {
  for (unsigned row = 0; row < rows; ++row) {
    Row sum = sums[row];
    for (unsigned k = 0; k < deep; ++k)
      sum += left[row][k] * right[k];
    sums[row] = sum;
  }
}

template <class Element> void multiplyAll(Meeting &meeting) {
  constexpr unsigned each = Element::perRegister, deep = 8 * each;
  alignas(64) float left[rows][mostDeep];
  alignas(64) float right[mostDeep][columns];
  alignas(64) float sums[rows][columns];
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane) {
    const Fragments &own = meeting.from<Fragments>(lane);
    unsigned group = lane / 4, place = lane % 4 * each;
    for (unsigned which = 0; which < each; ++which) {
      for (unsigned half = 0; half < 2; ++half) {
        unsigned k = place + which + half * 4 * each;
        left[group][k] = Element::value(own.left[2 * half], which);
        left[group + 8][k] = Element::value(own.left[2 * half + 1], which);
        right[k][group] = Element::value(own.right[half], which);
      }
    }
    for (unsigned i = 0; i < 4; ++i)
      sums[group + i / 2 * 8][lane % 4 * 2 + i % 2] = own.sums[i];
  }
  multiply(left, reinterpret_cast<Row *>(right), deep, reinterpret_cast<Row *>(sums));
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane) {
    float *taken = static_cast<float *>(meeting.takes[lane]);
    for (unsigned i = 0; i < 4; ++i)
      taken[i] = sums[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2];
  }
}
} // namespace

extern "C" {

/// mma.sync m16n8k16 of 16-bit numbers, m16n8k8 of tf32: registers as PTX lists them.
void weft_emulated_product(float *sums, const void *fragments, uint32_t element, uint16_t site) {
  Cluster &cluster = Cluster::current();
  bool tf32 = element == uint32_t(ElementKind::tf32);
  if (Cluster::running().lane() == 0) {
    ++cluster.counts.products;
    (tf32 ? cluster.counts.tf32Flops : cluster.counts.tensorFlops) +=
        2 * rows * columns * (tf32 ? 8 : 16);
  }
  cluster.meet(-1, "a product of the warp", site, fragments, sums,
               tf32                                         ? multiplyAll<Tf32>
               : element == uint32_t(ElementKind::bfloat16) ? multiplyAll<Bfloat16>
                                                            : multiplyAll<Float16>);
}

} // extern "C"
