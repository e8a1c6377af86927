// One entry at given sizes, with the memory it needs: bind inputs, run, read outputs; again and
// again.
#ifndef WEFT_RUNTIME_MODEL_ENTRYRUN_H
#define WEFT_RUNTIME_MODEL_ENTRYRUN_H

#include "runtime/device/DeviceKeys.h"
#include "runtime/device/Replay.h"
#include "runtime/machine/memory/MemoryUse.h"
#include "runtime/model/KeptStates.h"
#include "runtime/model/Sizes.h"

#include <span>

namespace weft::runtime {

class EntryRun {
public:
  /// `model` must outlive it.
  EntryRun(Model &model, int entry);

  const Entry &entry() const { return model->facts.entries[number]; }
  Model &program() const { return *model; }
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
  /// The memory of an input, to write to, or of an output, there after allocate(): float, int32_t
  /// or char by its element. On a device it is good until the next run.
  template <class T = void> T *input(int i) const {
    return reinterpret_cast<T *>(inputs[static_cast<size_t>(i)]->write());
  }
  template <class T = void> T *output(int i) const {
    return reinterpret_cast<T *>(outputs[static_cast<size_t>(i)]->read());
  }
  /// The same, good until the next allocate().
  void *exposeInput(int i) { return inputs[static_cast<size_t>(i)]->expose(); }
  void *exposeOutput(int i) { return outputs[static_cast<size_t>(i)]->follow(); }
  /// Makes an input read, or an output write, memory of the caller's from the next allocate() on;
  /// nullptr: its own. What the caller's memory of this machine holds is looked at in each run.
  void useInput(int i, void *memory) { inputMemory[static_cast<size_t>(i)].foreign = memory; }
  void useOutput(int i, void *memory) { outputMemory[static_cast<size_t>(i)].foreign = memory; }
  void useInput(int i, Mirror *memory) { inputMemory[static_cast<size_t>(i)].borrowed = memory; }
  /// An output for another entry to read: it stays where code runs, unless somebody asks for it.
  Mirror &lendOutput(int i) {
    outputMemory[static_cast<size_t>(i)].lent = true;
    return *outputs[static_cast<size_t>(i)];
  }

  /// Runs. Packs the parameters first if they have changed. `seed` and `step` are what `random`
  /// counts from. Errors: a value of an input that is outside the dimension it indexes, or a bool
  /// that is neither 0 nor 1; Cancelled, as the pool was asked to, after which parameters and
  /// states are as before; the device is lost. An update is not stopped once it has begun.
  Status run(uint64_t seed = 0, uint64_t step = 0);
  /// The same in two parts: between them a device computes, and inputs may be written for the run
  /// after that. Outputs are there when finish() has returned.
  Status begin(uint64_t seed, uint64_t step);
  Status finish();
  /// Runs of one entry on this machine that writes no parameter, side by side (Lockstep), each
  /// computing apart: what each gives is, to the bit, what it gives when they run one after the
  /// other in this order. Where their launches do not go together, which it says, they do that.
  /// Errors as run().
  static Result<bool> runTogether(std::span<EntryRun *const> runs);
  /// Takes memory of its own for intermediate values, as runs side by side need it.
  void computeApart() { isApart = true; }

  /// Bytes of all that allocate() would take at these sizes, where code runs; gradients are taken
  /// as those that another entry lends.
  int64_t bytesAt(const Sizes &sizes) const;
  /// What it will have taken of this machine, without the parameters, once it has run at these
  /// sizes; gradients as above.
  MemoryUse memoryAt(const Sizes &sizes) const;
  /// Packs parameters behind its intermediate values, where other runs of the model write over
  /// them: for one that runs seldom, and after parameters have changed. On this machine only.
  void packInWork() { packsInWork = !device() && !packsAgain(); }
  /// Bytes of intermediate values, and of packed parameters.
  int64_t arenaBytes() const { return workStarts.empty() ? 0 : workStarts.back(); }
  int64_t packedBytes() const { return packedStarts.empty() ? 0 : packedStarts.back(); }

private:
  struct Memory {
    Mirror own;
    Mirror *borrowed = nullptr;
    void *foreign = nullptr;
    bool lent = false;
  };
  Device *device() const { return model->device.get(); }
  Status checkInput(int i) const;
  Status reserve(const std::vector<Argument> &arguments, std::vector<Memory> &memory,
                 std::vector<Mirror *> &mirrors);
  Status checkMemory(const Sizes &sizes) const;
  Status allocateWork();
  bool hasWork();
  std::vector<int64_t> packedStartsAt(const Sizes &sizes) const;
  Status allocatePacked();
  /// Runs on this machine have one, for one of them computes at a time.
  WorkSpace &work() { return device() || isApart ? own : model->work; }
  const WorkSpace &work() const { return device() || isApart ? own : model->work; }
  /// That of threads: each computes a task of one run at a time, also where runs are apart.
  CodeMemory &scratch() { return device() ? own.scratch : model->work.scratch; }
  const CodeMemory &scratch() const { return device() ? own.scratch : model->work.scratch; }
  static std::vector<std::span<const char>> commonCaches(std::span<EntryRun *const> runs);
  WeftCall callOf(uint64_t seed, uint64_t step);
  /// What decides which launches a call makes, and of what.
  std::vector<int64_t> fingerprint(const WeftCall &call);
  bool ask(void (*function)(const WeftCall *), Replay &replay, const WeftCall &call);
  bool pack(WeftCall call);
  /// An update reads nothing that is packed of parameters. It packs again, of those that it
  /// changes, what others keep.
  bool packsAgain() const { return entry().kind == EntryKind::Update; }
  /// An update is not stopped once it has begun.
  bool mayStop() const { return entry().kind != EntryKind::Update; }
  void takePackedOfOthers();
  void givePackedOfOthers();
  const PackedFacts &factsOf(size_t packed) const;
  std::vector<int64_t> sizesOf(const PackedFacts &facts) const;
  uint64_t versionOf(const PackedFacts &facts) const;
  bool isPacked(size_t number) const;
  bool takeCarried(size_t number, char *to) const;
  void markPacked(size_t number);
  Status checkInputs() const;
  static Error cancelled();
  void markWritten();
  Status cancel();
  Model *model;
  int number;
  Sizes asked, settled;
  std::vector<Memory> inputMemory, outputMemory;
  std::vector<Mirror *> inputs, outputs;
  std::vector<void *> inputAddresses, outputAddresses; // of the run
  WorkSpace own;
  std::vector<std::shared_ptr<PackedWeight>> packed; // as the entry lists them; none if packsInWork
  std::shared_ptr<uint64_t> inWork = std::make_shared<uint64_t>(0); // version of what lies there
  bool packsInWork = false, isApart = false;
  std::vector<int64_t> workStarts, packedStarts;
  std::vector<char *> workBuffers, packedBuffers; // of the run
  int64_t scratchStride = 0;
  KeptStates states;
  DeviceKeys keys;
  Replay preparation, body;
};

} // namespace weft::runtime
#endif
