// A program as the compiler would make it, written by hand: a language model whose next token
// depends on the last two. logits[s] = table[token s] + before[token s-1] + sum over layers of
// bias. It has everything that a program can have: a repeated block, gradients, an update with
// schedule and clipping, a cache, packed parameters, launches on the pool.
#include "runtime/Abi.h"
#include "tests/unit/runtime/BigramFacts.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

using namespace bigram;

/// The same program for devices, where it is linked too.
extern "C" [[gnu::weak]] const WeftProgram bigram_devices;

namespace {
float *weights(const WeftCall *call, int parameter) {
  return static_cast<float *>(call->parameters[parameter]);
}
int64_t nothing(const int64_t *) {
  return 0;
}

void packBias(const WeftCall *call) {
  auto *sum = reinterpret_cast<float *>(call->packed[0]);
  for (int64_t v = 0; v < V; ++v)
    sum[v] = weights(call, bias)[v] + weights(call, bias)[V + v];
}

// buffers: tokens, table, before, packed bias, output; a task is one row of the output
void logitRows(const int64_t *sizes, void *const *buffers, int64_t begin, int64_t end, char *) {
  auto *tokens = static_cast<const int32_t *>(buffers[0]);
  auto *tables = static_cast<const float *>(buffers[1]),
       *befores = static_cast<const float *>(buffers[2]);
  auto *biases = static_cast<const float *>(buffers[3]);
  auto *output = static_cast<float *>(buffers[4]);
  for (int64_t row = begin; row < end; ++row)
    for (int64_t v = 0; v < V; ++v) {
      float earlier = row % sizes[seq] ? befores[tokens[row - 1] * V + v] : 0;
      output[row * V + v] = tables[tokens[row] * V + v] + earlier + biases[v];
    }
}

void launchLogits(const WeftCall *call, float *output) {
  void *buffers[] = {call->inputs[0], call->parameters[table], call->parameters[before],
                     call->packed[0], output};
  weft_launch(call, logitRows, buffers, call->sizes[batch] * call->sizes[seq]);
}

void runLogits(const WeftCall *call) {
  launchLogits(call, static_cast<float *>(call->outputs[0]));
}

/// Mean cross entropy, and the share of right guesses; turns the logits in the arena into d loss /
/// d logits.
void measure(const WeftCall *call) {
  auto *rows = reinterpret_cast<float *>(call->work[0]);
  auto *next = static_cast<const int32_t *>(call->inputs[1]);
  int64_t count = call->sizes[batch] * call->sizes[seq];
  double loss = 0;
  int64_t right = 0;
  for (int64_t row = 0; row < count; ++row) {
    float *x = rows + row * V, *best = std::max_element(x, x + V), top = *best;
    right += best - x == next[row];
    double total = 0;
    for (int64_t v = 0; v < V; ++v)
      total += std::exp(double(x[v] - top));
    loss += std::log(total) + top - x[next[row]];
    for (int64_t v = 0; v < V; ++v)
      x[v] = static_cast<float>((std::exp(double(x[v] - top)) / total - (v == next[row])) /
                                double(count));
  }
  *static_cast<float *>(call->outputs[0]) = static_cast<float>(loss / double(count));
  *static_cast<float *>(call->outputs[1]) = static_cast<float>(double(right) / double(count));
}

void runLoss(const WeftCall *call) {
  launchLogits(call, reinterpret_cast<float *>(call->work[0]));
  measure(call);
}

void runGradient(const WeftCall *call) {
  runLoss(call);
  auto *rows = reinterpret_cast<const float *>(call->work[0]);
  auto *tokens = static_cast<const int32_t *>(call->inputs[0]);
  float *gradients[3];
  for (int i = 0; i < 3; ++i) {
    gradients[i] = static_cast<float *>(call->outputs[i + 2]);
    memset(gradients[i], 0, static_cast<size_t>(counts[i]) * 4);
  }
  for (int64_t row = 0; row < call->sizes[batch] * call->sizes[seq]; ++row)
    for (int64_t v = 0; v < V; ++v) {
      float g = rows[row * V + v];
      gradients[table][tokens[row] * V + v] += g;
      gradients[bias][v] += g;
      gradients[bias][V + v] += g;
      if (row % call->sizes[seq])
        gradients[before][tokens[row - 1] * V + v] += g;
    }
}

/// Adam with ten steps of warm-up, a cosine down to zero over `steps`, and clipping at norm 1.
void runUpdate(const WeftCall *call) {
  double step = *static_cast<const int32_t *>(call->inputs[3]),
         steps = *static_cast<const int32_t *>(call->inputs[4]);
  double square = 0;
  for (int i = 0; i < 3; ++i)
    for (int64_t j = 0; j < counts[i]; ++j)
      square += std::pow(double(static_cast<const float *>(call->inputs[i])[j]), 2);
  double norm = std::sqrt(square), clip = std::fmin(1, 1 / (norm + 1e-6));
  double rate = 0.05 * std::fmin(1, step / 10) * 0.5 * (1 + std::cos(M_PI * (step - 1) / steps));
  for (int i = 0; i < 3 && norm <= FLT_MAX; ++i)
    for (int64_t j = 0; j < counts[i]; ++j) {
      double g = clip * static_cast<const float *>(call->inputs[i])[j];
      float &m = weights(call, tableM + i)[j], &v = weights(call, tableV + i)[j];
      m = static_cast<float>(0.9 * m + 0.1 * g);
      v = static_cast<float>(0.99 * v + 0.01 * g * g);
      double mean = m / (1 - std::pow(0.9, step)), variance = v / (1 - std::pow(0.99, step));
      weights(call, i)[j] -= static_cast<float>(rate * mean / (std::sqrt(variance) + 1e-8));
    }
  *static_cast<float *>(call->outputs[0]) = static_cast<float>(norm);
  *static_cast<float *>(call->outputs[1]) = static_cast<float>(rate);
}

void runAdvance(const WeftCall *call) {
  auto *tokens = static_cast<const int32_t *>(call->inputs[0]);
  auto *rows = static_cast<float *>(call->inputs[1]),
       *output = static_cast<float *>(call->outputs[0]);
  auto *sum = reinterpret_cast<const float *>(call->packed[0]);
  const int64_t *sizes = call->sizes;
  for (int64_t b = 0; b < sizes[batch]; ++b)
    for (int64_t j = 0; j < sizes[fresh]; ++j) {
      int64_t position = sizes[known] + j;
      int32_t token = tokens[b * sizes[fresh] + j];
      float *cache = rows + b * sizes[capacity] * V;
      memcpy(cache + position * V, weights(call, before) + token * V, V * 4);
      for (int64_t v = 0; v < V; ++v)
        output[(b * sizes[fresh] + j) * V + v] = weights(call, table)[token * V + v] +
                                                 (position ? cache[(position - 1) * V + v] : 0) +
                                                 sum[v];
    }
}

const std::string json = facts();
const WeftEntryCode code[] = {{nothing, packBias, runLogits, nullptr},
                              {nothing, packBias, runLoss, nullptr},
                              {nothing, packBias, runGradient, nullptr},
                              {nothing, nullptr, runUpdate, nullptr},
                              {nothing, packBias, runAdvance, nullptr}};
} // namespace

extern "C" const WeftProgram weft_program = {
    WEFT_ABI_VERSION, 5, json.c_str(), json.size(),     {code, nullptr},
    nullptr,          0, nullptr,      &bigram_devices, {}};
