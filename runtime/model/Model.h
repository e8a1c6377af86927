// An opened program: its facts, the kernels for this machine, its threads and its parameters.
#ifndef WEFT_RUNTIME_MODEL_MODEL_H
#define WEFT_RUNTIME_MODEL_MODEL_H

#include "runtime/Abi.h"
#include "runtime/machine/Pool.h"
#include "runtime/model/Carried.h"
#include "runtime/model/ChooseTarget.h"
#include "runtime/model/Parameters.h"

#include <map>

namespace weft::runtime {

struct ModelOptions {
  int threads = 0;              // 0: availableCores()
  bool pin = false;             // keep every thread, the caller too, on a core of its own
  const char *isa = nullptr;    // the name of an instruction set to force; nullptr or "": the best
  bool parameters = true;       // false: nothing is run, so they need no memory, and no device
  const char *device = nullptr; // as TargetWish has it
};

/// Memory that a run needs while it computes.
struct WorkSpace {
  CodeMemory arena, scratch, shared;
  /// Of the run that wrote there last, which may have packed weights behind its values.
  const void *holder = nullptr;
};

/// A parameter as products read it: of all entries that read it so, or of one run where it varies.
struct PackedWeight {
  CodeMemory memory;
  uint64_t version = 0;       // of the parameters that it was made of; 0: of none
  std::vector<int64_t> sizes; // of the dimensions by which it varies
  bool isCarried = false;     // it is what the program carries
};

/// Not for several threads at once: it has one pool.
class Model {
public:
  /// `programs`: a file's, of which one is chosen.
  static Result<std::unique_ptr<Model>> open(const WeftProgram &programs, ModelOptions options);

  const WeftProgram &programs, &program; // all of the file; the one that runs
  const Facts facts;
  const int isa;
  const std::unique_ptr<Pool> pool;
  const std::unique_ptr<Device> device; // none: this machine. It outlives all memory
  const std::string reason;             // why that device, where there was a choice
  std::optional<CarriedFile> carried;   // outlives the parameters, which may lie in it
  Parameters parameters;
  WorkSpace work;                                    // of all runs on this machine
  std::map<int, std::weak_ptr<PackedWeight>> packed; // by number, while an entry has runs
  int64_t ownBytes = 0;                              // resident before there were parameters
  uint64_t carriedVersion = 0;                       // of the parameters, as they were carried

  /// The weights become those that the file at `path`, the program's own, carries, if it does.
  Status takeCarried(const std::string &path);

  const WeftEntryCode &code(int entry) const {
    const WeftEntryCode *ofDevice = device ? device->code() : nullptr;
    return (ofDevice ? ofDevice : program.code[isa])[entry];
  }
  /// Where its memory is taken.
  MemorySource memory() const {
    return device ? MemorySource(device.get()) : MemorySource(nullptr, pool->nodes());
  }
  /// Whether it has nothing of this parameter but what the program carries packed; also where
  /// parameters have no memory.
  bool isAbsent(int parameter) const {
    return carried && facts.parameters[static_cast<size_t>(parameter)].packedAlone &&
           (!parameters.exists() || parameters.isAbsent(parameter));
  }
  /// Whether a packed weight is what the program carries: its parameter is what it was when it was
  /// opened.
  bool isAsCarried(const PackedFacts &weight) const {
    return carried && weight.carried &&
           (parameters.isAbsent(weight.of) || parameters.version() == carriedVersion);
  }
  /// The number of an entry; the error lists those there are.
  Result<int> entry(std::string_view name) const;

  /// "avx512, 2 threads", or the device.
  std::string place() const;

private:
  Model(const WeftProgram &programs, ChosenTarget target, Facts facts, std::unique_ptr<Pool> pool);
};

} // namespace weft::runtime
#endif
