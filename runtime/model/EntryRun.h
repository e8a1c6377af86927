// One entry at given sizes, with the memory it needs: bind inputs, run, read outputs; again and
// again.
#ifndef WEFT_RUNTIME_MODEL_ENTRYRUN_H
#define WEFT_RUNTIME_MODEL_ENTRYRUN_H

#include "runtime/model/Model.h"
#include "runtime/model/Sizes.h"

namespace weft::runtime {

class EntryRun {
public:
  /// `model` must outlive it.
  EntryRun(Model &model, int entry);

  const Entry &entry() const { return model->facts.entries[number]; }
  /// Says the size of a dimension; allocates nothing. Errors as Sizes.
  Status setSize(std::string_view dimension, int64_t size, const std::string &origin);
  Status setSize(int dimension, int64_t size, const std::string &origin) {
    return asked.set(dimension, size, origin);
  }
  /// Says the sizes of an input by the shape of a tensor.
  Status bindShape(int input, const std::vector<int64_t> &shape, const std::string &origin);
  /// What the sizes said so far make of all others; allocates nothing.
  Result<Sizes> settle() const;
  /// Settles the sizes and allocates inputs, outputs and work space, keeping memory that is large
  /// enough. What the inputs held before is lost, except for memory of the caller's.
  Status allocate();
  /// Forgets the sizes said so far, to say others and allocate() again.
  void forgetSizes() { asked = Sizes(model->facts); }

  const Sizes &sizes() const { return settled; }
  std::vector<int64_t> inputShape(int input) const {
    return settled.shape(entry().inputs[input].dims);
  }
  std::vector<int64_t> outputShape(int output) const {
    return settled.shape(entry().outputs[output].dims);
  }
  int64_t inputCount(int input) const { return settled.count(entry().inputs[input].dims); }
  int64_t outputCount(int output) const { return settled.count(entry().outputs[output].dims); }
  /// How many elements the first input of indices has; 0 if there is none, or if each of them
  /// stands for a whole row of another input: labels are no tokens.
  int64_t tokens() const;
  /// The memory of an input or output, there after allocate(): float, int32_t or char by its
  /// element.
  template <class T = void> T *input(int i) const { return static_cast<T *>(inputs[i]); }
  template <class T = void> T *output(int i) const { return static_cast<T *>(outputs[i]); }
  /// Makes an input read, or an output write, memory of the caller's from the next allocate() on;
  /// nullptr: its own.
  void useInput(int i, void *memory) { inputMemory[i].borrowed = memory; }
  void useOutput(int i, void *memory) { outputMemory[i].borrowed = memory; }

  /// Runs. Packs the parameters first if they have changed. `seed` and `step` are what `random`
  /// counts from. Errors: a value of an input that is outside the dimension it indexes, or a bool
  /// that is neither 0 nor 1; Cancelled, as the pool was asked to, after which parameters and
  /// states are as before. An update is not stopped once it has begun.
  Status run(uint64_t seed = 0, uint64_t step = 0);

  /// Bytes of intermediate values, and of packed parameters.
  int64_t arenaBytes() const { return arena.size(); }
  int64_t packedBytes() const { return packed.size(); }

private:
  struct Memory {
    Block own;
    void *borrowed = nullptr;
  };
  Status checkInput(int i) const;
  Status reserve(const std::vector<Argument> &arguments, std::vector<Memory> &memory,
                 std::vector<void *> &starts);
  Status allocateWork();
  Model *model;
  int number;
  Sizes asked, settled;
  std::vector<Memory> inputMemory, outputMemory;
  std::vector<void *> inputs, outputs;
  Block arena, scratch, shared, packed;
  std::vector<char *> workBuffers, packedBuffers; // in `arena` and `packed`
  int64_t scratchStride = 0;
  uint64_t packedVersion = 0;
};

} // namespace weft::runtime
#endif
