// The hand-written language model for devices: the same entries, whose kernels are functions that
// the emulator runs. The CUDA code names them: a driver that is none (FakeDriver.cpp) runs the
// same.
#include "runtime/Abi.h"
#include "runtime/emulator/Launch.h"
#include "runtime/emulator/numbers/TensorMap.h"
#include "tests/unit/runtime/BigramFacts.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

using namespace bigram;

extern "C" {
uint32_t weft_emulated_thread();
uint32_t weft_emulated_threads();
uint32_t weft_emulated_block(uint32_t axis);
uint32_t weft_emulated_blocks(uint32_t axis);
void weft_emulated_touch(const void *address, uint32_t bytes, bool writes, uint16_t site);
}

namespace {
constexpr uint32_t threads = 64;

/// An element of the device's memory: each access is looked at.
template <class T> class Element {
public:
  explicit Element(T *at) : at(at) {}
  operator T() const {
    weft_emulated_touch(at, sizeof(T), false, 0);
    return *at;
  }
  T operator=(T value) {
    weft_emulated_touch(at, sizeof(T), true, 1);
    return *at = value;
  }
  T operator=(const Element &other) { return *this = T(other); }
  T operator+=(T value) { return *this = static_cast<T>(*this + value); }

private:
  T *at;
};
template <class T> struct Tensor {
  T *data;
  Element<T> operator[](int64_t i) const { return Element<T>(data + i); }
};

/// What a kernel takes by value.
struct Parameters {
  void *const *addresses;
  int64_t size(int number) const { return static_cast<const int64_t *>(addresses[0])[number]; }
  template <class T> Tensor<T> buffer(uint32_t number) const {
    return {static_cast<T *const *>(addresses[1])[number]};
  }
};

/// The number of this thread among all.
int64_t self() {
  return int64_t(weft_emulated_block(0)) * weft_emulated_threads() + weft_emulated_thread();
}

int64_t nothing(const int64_t *) {
  return 0;
}
} // namespace

// Kernels. The driver finds them by name.
extern "C" {

/// bias, packed
[[gnu::visibility("default")]] void bigram_pack(void *const *parameters) {
  Parameters given{parameters};
  if (int64_t v = self(); v < V)
    given.buffer<float>(1)[v] = given.buffer<float>(0)[v] + given.buffer<float>(0)[V + v];
}

/// tokens, table, before, packed bias, output; a thread for each element
[[gnu::visibility("default")]] void bigram_logits(void *const *parameters) {
  Parameters given{parameters};
  int64_t row = self() / V, v = self() % V, length = given.size(seq);
  if (row >= given.size(batch) * length)
    return;
  auto tokens = given.buffer<int32_t>(0);
  float earlier = row % length ? float(given.buffer<float>(2)[tokens[row - 1] * V + v]) : 0;
  given.buffer<float>(4)[row * V + v] =
      given.buffer<float>(1)[tokens[row] * V + v] + earlier + given.buffer<float>(3)[v];
}

/// logits, next, loss, accuracy: the logits become gradients. One thread does it, in the order of
/// this machine's program.
[[gnu::visibility("default")]] void bigram_measure(void *const *parameters) {
  Parameters given{parameters};
  if (self() != 0)
    return;
  auto rows = given.buffer<float>(0);
  auto next = given.buffer<int32_t>(1);
  int64_t count = given.size(batch) * given.size(seq);
  double loss = 0;
  int64_t right = 0;
  for (int64_t row = 0; row < count; ++row) {
    float x[V];
    for (int64_t v = 0; v < V; ++v)
      x[v] = rows[row * V + v];
    float *best = std::max_element(x, x + V), top = *best;
    right += best - x == next[row];
    double total = 0;
    for (int64_t v = 0; v < V; ++v)
      total += std::exp(double(x[v] - top));
    loss += std::log(total) + top - x[next[row]];
    for (int64_t v = 0; v < V; ++v)
      rows[row * V + v] = static_cast<float>(
          (std::exp(double(x[v] - top)) / total - (v == next[row])) / double(count));
  }
  given.buffer<float>(2)[0] = static_cast<float>(loss / double(count));
  given.buffer<float>(3)[0] = static_cast<float>(double(right) / double(count));
}

/// gradients of logits, tokens, those of the parameters; a thread for each column
[[gnu::visibility("default")]] void bigram_gradients(void *const *parameters) {
  Parameters given{parameters};
  int64_t v = self(), length = given.size(seq);
  if (v >= V)
    return;
  auto rows = given.buffer<float>(0);
  auto tokens = given.buffer<int32_t>(1);
  auto tables = given.buffer<float>(2), biases = given.buffer<float>(3),
       befores = given.buffer<float>(4);
  for (int64_t i = 0; i < V; ++i)
    tables[i * V + v] = 0, befores[i * V + v] = 0;
  biases[v] = 0, biases[V + v] = 0;
  for (int64_t row = 0; row < given.size(batch) * length; ++row) {
    float g = rows[row * V + v];
    tables[tokens[row] * V + v] += g;
    biases[v] += g;
    biases[V + v] += g;
    if (row % length)
      befores[tokens[row - 1] * V + v] += g;
  }
}

/// three gradients, step, steps, nine parameters, norm, rate; one thread, as this machine's program
[[gnu::visibility("default")]] void bigram_update(void *const *parameters) {
  Parameters given{parameters};
  if (self() != 0)
    return;
  double step = given.buffer<int32_t>(3)[0], steps = given.buffer<int32_t>(4)[0], square = 0;
  for (uint32_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < counts[i]; ++j)
      square += std::pow(double(given.buffer<float>(i)[j]), 2);
  double norm = std::sqrt(square), clip = std::fmin(1, 1 / (norm + 1e-6));
  double rate = 0.05 * std::fmin(1, step / 10) * 0.5 * (1 + std::cos(M_PI * (step - 1) / steps));
  for (uint32_t i = 0; i < 3 && norm <= FLT_MAX; ++i) {
    auto values = given.buffer<float>(5 + i), means = given.buffer<float>(5 + tableM + i),
         squares = given.buffer<float>(5 + tableV + i);
    for (int64_t j = 0; j < counts[i]; ++j) {
      double g = clip * given.buffer<float>(i)[j];
      float m = means[j] = static_cast<float>(0.9 * means[j] + 0.1 * g);
      float v = squares[j] = static_cast<float>(0.99 * squares[j] + 0.01 * g * g);
      double mean = m / (1 - std::pow(0.9, step)), variance = v / (1 - std::pow(0.99, step));
      float value = values[j];
      value -= static_cast<float>(rate * mean / (std::sqrt(variance) + 1e-8));
      values[j] = value;
    }
  }
  given.buffer<float>(14)[0] = static_cast<float>(norm);
  given.buffer<float>(15)[0] = static_cast<float>(rate);
}

/// tokens, cache, table, before, packed bias, output; a thread for each column
[[gnu::visibility("default")]] void bigram_advance(void *const *parameters) {
  Parameters given{parameters};
  int64_t v = self();
  if (v >= V)
    return;
  auto tokens = given.buffer<int32_t>(0);
  auto cache = given.buffer<float>(1);
  for (int64_t b = 0; b < given.size(batch); ++b)
    for (int64_t j = 0; j < given.size(fresh); ++j) {
      int64_t position = given.size(known) + j, row = b * given.size(capacity) + position;
      int32_t token = tokens[b * given.size(fresh) + j];
      cache[row * V + v] = given.buffer<float>(3)[token * V + v];
      float earlier = position ? float(cache[(row - 1) * V + v]) : 0;
      given.buffer<float>(5)[(b * given.size(fresh) + j) * V + v] =
          given.buffer<float>(2)[token * V + v] + earlier + given.buffer<float>(4)[v];
    }
}

/// sums, values, factor
[[gnu::visibility("default")]] void service_add(void *const *parameters) {
  Parameters given{parameters};
  int64_t all = int64_t(weft_emulated_blocks(0)) * weft_emulated_threads();
  for (int64_t i = self(); i < given.size(0); i += all)
    given.buffer<float>(0)[i] += given.buffer<float>(1)[i] * given.buffer<float>(2)[0];
}

/// values, factor
[[gnu::visibility("default")]] void service_scale(void *const *parameters) {
  Parameters given{parameters};
  int64_t all = int64_t(weft_emulated_blocks(0)) * weft_emulated_threads();
  for (int64_t i = self(); i < given.size(0); i += all)
    given.buffer<float>(0)[i] = given.buffer<float>(0)[i] * given.buffer<float>(1)[0];
}

/// What the fake driver describes tensors with.
[[gnu::visibility("default")]] bool weft_test_encode(void *map, const WeftTensorMap *tensor) {
  return weft::emulator::encode(*static_cast<weft::emulator::TensorMap *>(map), *tensor).empty();
}

/// What the fake driver runs a kernel with; what went wrong, or nullptr.
[[gnu::visibility("default")]] const char *weft_test_launch(void (*kernel)(void *const *),
                                                            void *const *parameters,
                                                            unsigned blocks, unsigned wide) {
  static std::string problem;
  weft::emulator::Grid grid;
  grid.blocks[0] = blocks;
  grid.threads = wide;
  weft::emulator::Counts counts;
  auto found = weft::emulator::launch(kernel, parameters, grid, {}, counts);
  problem = found.value_or("");
  return found ? problem.c_str() : nullptr;
}
}

namespace {
constexpr WeftDeviceKernel pack{"bigram_pack", bigram_pack, dims, 2, threads, 0},
    logits{"bigram_logits", bigram_logits, dims, 5, threads, 0},
    measures{"bigram_measure", bigram_measure, dims, 4, 32, 64 << 10},
    gradients{"bigram_gradients", bigram_gradients, dims, 5, threads, 0},
    update{"bigram_update", bigram_update, dims, 16, 32, 0},
    advance{"bigram_advance", bigram_advance, dims, 6, threads, 0};
const WeftDeviceServices services{{"service_add", service_add, 1, 3, threads, 0},
                                  {"service_scale", service_scale, 1, 2, threads, 0}};
constexpr int64_t blocksOfColumns = (V + threads - 1) / threads;

void packBias(const WeftCall *call) {
  void *buffers[] = {call->parameters[bias], call->packed[0]};
  weft_launch_grid(call, &pack, buffers, blocksOfColumns);
}

void launchLogits(const WeftCall *call, void *output) {
  void *buffers[] = {call->inputs[0], call->parameters[table], call->parameters[before],
                     call->packed[0], output};
  int64_t elements = call->sizes[batch] * call->sizes[seq] * V;
  weft_launch_grid(call, &logits, buffers, (elements + threads - 1) / threads);
}

void runLogits(const WeftCall *call) {
  launchLogits(call, call->outputs[0]);
}

void runLoss(const WeftCall *call) {
  launchLogits(call, call->work[0]);
  void *buffers[] = {call->work[0], call->inputs[1], call->outputs[0], call->outputs[1]};
  weft_launch_grid(call, &measures, buffers, 1);
}

void runGradient(const WeftCall *call) {
  runLoss(call);
  void *buffers[] = {call->work[0], call->inputs[0], call->outputs[2], call->outputs[3],
                     call->outputs[4]};
  weft_launch_grid(call, &gradients, buffers, blocksOfColumns);
}

void runUpdate(const WeftCall *call) {
  void *buffers[16];
  std::copy(call->inputs, call->inputs + 5, buffers);
  std::copy(call->parameters, call->parameters + 9, buffers + 5);
  std::copy(call->outputs, call->outputs + 2, buffers + 14);
  weft_launch_grid(call, &update, buffers, 1);
}

void runAdvance(const WeftCall *call) {
  void *buffers[] = {call->inputs[0],          call->inputs[1], call->parameters[table],
                     call->parameters[before], call->packed[0], call->outputs[0]};
  weft_launch_grid(call, &advance, buffers, blocksOfColumns);
}

const std::string json = facts();
const WeftEntryCode code[] = {{nothing, packBias, runLogits, nullptr},
                              {nothing, packBias, runLoss, nullptr},
                              {nothing, packBias, runGradient, nullptr},
                              {nothing, nullptr, runUpdate, nullptr},
                              {nothing, packBias, runAdvance, nullptr}};
// what the fake driver has to know: of how many sizes and buffers each kernel's parameters are
#define KERNELS                                                                                    \
  "// kernel bigram_pack 8 2\n// kernel bigram_logits 8 5\n// kernel bigram_measure 8 4\n"         \
  "// kernel bigram_gradients 8 5\n// kernel bigram_update 8 16\n// kernel bigram_advance 8 6\n"   \
  "// kernel service_add 1 3\n// kernel service_scale 1 2\n"                                       \
  "// kernel test_add 1 1\n// kernel test_map 2 1 2\n// kernel test_put 3 1\n"
constexpr char exactText[] = "// 9.0a\n.version 8.0\n" KERNELS,
               laterText[] = "// 8.0\n.version 8.0\n" KERNELS;
constexpr WeftImage images[] = {{exactText, sizeof exactText - 1, 90, 1, code},
                                {laterText, sizeof laterText - 1, 80, 0, code}};

/// A program for one kind of device.
WeftProgram of(int isa, const WeftImage *images, uint64_t count, const WeftProgram *next) {
  WeftProgram program{WEFT_ABI_VERSION, 5,     json.c_str(), json.size(), {},
                      images,           count, &services,    next,        {}};
  program.code[isa] = code;
  return program;
}
} // namespace

#ifdef BIGRAM_EMULATED // a program for the emulated device alone
#define EMULATED weft_program
#else
#define EMULATED bigram_emulated
#endif
extern "C" const WeftProgram EMULATED = of(WEFT_ISA_CUDA_EMULATED, nullptr, 0, nullptr);
extern "C" const WeftProgram bigram_devices = of(WEFT_ISA_CUDA, images, 2, &EMULATED);
