// The values of a model's parameters, states and optimizer states; to and from files.
#ifndef WEFT_RUNTIME_MODEL_PARAMETERS_H
#define WEFT_RUNTIME_MODEL_PARAMETERS_H

#include "runtime/device/Mirror.h"
#include "runtime/machine/Pool.h"
#include "runtime/model/Facts.h"
#include "runtime/tensors/safetensors/Reader.h"
#include "runtime/tensors/safetensors/Writer.h"

#include <functional>
#include <span>

namespace weft::runtime {

/// Which kinds a file holds.
using Kinds = std::function<bool(ParameterKind)>;
inline bool isWeight(ParameterKind kind) {
  return kind != ParameterKind::Optimizer;
}
inline bool isAny(ParameterKind) {
  return true;
}
inline bool isState(ParameterKind kind) {
  return kind == ParameterKind::State;
}
inline bool isOptimizer(ParameterKind kind) {
  return kind == ParameterKind::Optimizer;
}

class Parameters {
public:
  /// `facts` must outlive it, and a device, where code runs. All values are zero.
  static Result<Parameters> create(const Facts &facts, MemorySource source = {});
  /// Whether they were created: a program that runs nothing has none.
  bool exists() const { return facts; }
  /// The program that has them.
  const Facts &program() const { return *facts; }

  /// Sets every value as the model says, from this seed (InitialValues.h), whatever the threads; or
  /// only those of `kinds`.
  void initialize(Pool &pool, uint64_t seed, const Kinds &kinds = isAny);
  /// Reads what is of `kinds` from a file, per layer or stacked. Everything must be there with the
  /// right shape and type, nothing else may be, and every number must be finite; errors name the
  /// tensor. On an error nothing is changed.
  Status load(const SafetensorsFile &file, const Kinds &kinds);
  /// A part of a file, and where it goes.
  struct Move {
    const StoredTensor *tensor;
    int parameter;
    int64_t offset, count;
  };
  /// Says of each parameter whether it need not be read, for it lies somewhere as it is in the
  /// file.
  using Mapping = std::vector<bool> (*)(Parameters &, const SafetensorsFile &,
                                        std::span<const Move>);
  /// What lies in the file as it does in memory stays there (MappedFile), so that there may be more
  /// than a machine has. For tools: programs, which read, are kept small.
  static std::vector<bool> map(Parameters &parameters, const SafetensorsFile &file,
                               std::span<const Move> moves);
  /// The same of several files, of which all are read or none.
  struct Source {
    const SafetensorsFile &file;
    const Kinds &kinds;
    Mapping mapping = nullptr;
  };
  Status load(std::span<const Source> sources);
  /// Error: a file that is mapped was changed, so nobody knows what was read of it.
  Status isUnchanged() const;
  /// Writes what is of `kinds`, per layer. Error: some of it is absent.
  Status save(const std::string &path, const Kinds &kinds) const;

  /// Takes the memory of others for what is of `kinds`: the values of parameter i lie at `start` +
  /// `offsets`[i]. It must outlive the parameters, and may be written to. Those without an offset
  /// are absent.
  void adopt(char *start, const std::vector<int64_t> &offsets, const Kinds &kinds);
  /// The same for one, followed by changed().
  void adopt(int parameter, char *memory);
  /// Nobody has the values of this parameter, only what was packed of them: it has to be set before
  /// anything reads it.
  bool isAbsent(int parameter) const { return absent[static_cast<size_t>(parameter)]; }
  /// Error: it is absent.
  Status need(int parameter) const;

  /// Stacked, row-major; to read, or to write and then call changed(), until the next run. Where
  /// the device is lost, these are not the newest values: see fresh().
  void *data(int parameter) const;
  /// The same, to be used behind further runs too.
  void *follow(int parameter);
  /// Brings all that is of `kinds` up to date here. Error: the device has it, and is lost.
  Status fresh(const Kinds &kinds = isAny) const;
  /// Changes with every change of values; what was packed from older values is stale.
  uint64_t version() const { return changes; }
  /// The same of one parameter, or for -1 of all.
  uint64_t version(int parameter) const {
    return parameter < 0 ? changes : versions[static_cast<size_t>(parameter)];
  }
  /// What data() and follow() gave was written to.
  void changed();

  // For code that runs on the device, if there is one.

  /// Makes room there for what is of `kinds`.
  Status place(const Kinds &kinds);
  /// Bytes of what place() has not made room for.
  int64_t bytesToPlace(const Kinds &kinds = isAny) const;
  /// By number of parameter, up to date; what was not placed has none.
  void *const *forCode();
  /// Code of this entry has written, or will write, its `writes`.
  void written(const Entry &entry);
  /// Asks for the values that follow() has promised.
  void publish();
  Mirror &mirror(int parameter) { return mirrors[static_cast<size_t>(parameter)]; }

private:
  class Loader;
  char *forWriting(size_t parameter);
  const Facts *facts = nullptr;
  Device *device = nullptr;
  std::vector<MappedFile> maps;
  mutable std::vector<Mirror> mirrors;
  mutable std::vector<bool> given; // by data(), and as new as what code has
  std::vector<bool> placed, absent;
  std::vector<void *> addresses;
  uint64_t changes = 1;
  std::vector<uint64_t> versions; // what `changes` was when the parameter last changed
};

/// How values of one parameter (or its gradient) are written: a tensor per layer.
void addSlices(const Facts &facts, const Parameter &parameter, const void *values,
               std::vector<TensorToWrite> &tensors);

} // namespace weft::runtime
#endif
