// A model trained inside a C++ program, on batches that the program makes itself.
//
//   embed-train [STEPS] [OUT.safetensors]
//
// The task has a known answer: each token is the one before it plus 1, modulo 16, so that the loss
// falls towards 0. README.md says how to build it.
#include "weft.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <stdexcept>

namespace {
struct Closer {
  void operator()(WeftModel *model) const { weft_close(model); }
  void operator()(WeftTrainer *trainer) const { weft_trainer_close(trainer); }
};
using Model = std::unique_ptr<WeftModel, Closer>;
using Trainer = std::unique_ptr<WeftTrainer, Closer>;

/// A status or a pointer that says whether a call failed.
template <class T> T checked(T value) {
  if constexpr (std::is_pointer_v<T>) {
    if (!value)
      throw std::runtime_error(weft_error());
  } else if (value != WEFT_OK) {
    throw std::runtime_error(weft_error());
  }
  return value;
}

/// Rows that count up from a random number: tokens [batch, seq] and what comes next.
void fill(WeftRun *run, std::mt19937 &random) {
  WeftTensor tokens = {sizeof tokens}, next = {sizeof next};
  checked(weft_run_input(run, "tokens", &tokens));
  checked(weft_run_input(run, "next", &next));
  constexpr int32_t modulus = 16;
  for (int64_t row = 0; row < tokens.shape[0]; ++row) {
    int32_t first = static_cast<int32_t>(random() % modulus);
    for (int64_t i = 0; i < tokens.shape[1]; ++i) {
      int64_t at = row * tokens.shape[1] + i;
      static_cast<int32_t *>(tokens.data)[at] = (first + static_cast<int32_t>(i)) % modulus;
      static_cast<int32_t *>(next.data)[at] = (first + static_cast<int32_t>(i) + 1) % modulus;
    }
  }
}

void train(int64_t steps, const char *out) {
  Model model(checked(weft_open(nullptr)));
  checked(weft_initialize(model.get(), 1));
  Trainer trainer(checked(weft_trainer_open(model.get(), nullptr, steps, 1)));
  WeftRun *batch = weft_trainer_batch(trainer.get());
  checked(weft_run_size(batch, "batch", 8));
  checked(weft_run_size(batch, "seq", 32));
  checked(weft_run_allocate(batch));
  std::mt19937 random(1);
  for (int64_t i = 1; i <= steps; ++i) {
    fill(batch, random);
    WeftStep step = {sizeof step};
    checked(weft_trainer_step(trainer.get(), &step));
    if (i == 1 || i % 50 == 0)
      std::printf("step %lld  loss %.4f  norm %.3f  rate %.5f\n", static_cast<long long>(i),
                  step.loss, step.norm, step.rate);
  }
  if (out)
    checked(weft_save(model.get(), out));
}
} // namespace

int main(int argc, char **argv) {
  try {
    train(argc > 1 ? std::atoll(argv[1]) : 200, argc > 2 ? argv[2] : nullptr);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "embed-train: %s\n", error.what());
    return 1;
  }
}
