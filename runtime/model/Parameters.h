// The values of a model's parameters, states and optimizer states; to and from files.
#ifndef WEFT_RUNTIME_MODEL_PARAMETERS_H
#define WEFT_RUNTIME_MODEL_PARAMETERS_H

#include "runtime/base/Block.h"
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
inline bool isOptimizer(ParameterKind kind) {
  return kind == ParameterKind::Optimizer;
}

class Parameters {
public:
  /// `facts` must outlive it. All values are zero.
  static Result<Parameters> create(const Facts &facts);
  /// The program that has them.
  const Facts &program() const { return *facts; }

  /// Sets every value as the model says, from this seed (InitialValues.h); or only those of
  /// `kinds`.
  void initialize(uint64_t seed, const Kinds &kinds = isAny);
  /// Reads what is of `kinds` from a file, per layer or stacked. Everything must be there with the
  /// right shape and type, nothing else may be, and every number must be finite; errors name the
  /// tensor. On an error nothing is changed.
  Status load(const SafetensorsFile &file, const Kinds &kinds);
  /// The same of several files, of which all are read or none.
  struct Source {
    const SafetensorsFile &file;
    const Kinds &kinds;
  };
  Status load(std::span<const Source> sources);
  /// Writes what is of `kinds`, per layer.
  Status save(const std::string &path, const Kinds &kinds) const;

  /// Takes the memory of others for what is of `kinds`: the values of parameter i lie at `start` +
  /// `offsets`[i]. It must outlive the parameters, and may be written to.
  void adopt(char *start, const std::vector<int64_t> &offsets, const Kinds &kinds);

  /// By number of parameter; stacked, row-major.
  void *const *pointers() const { return starts.data(); }
  void *data(int parameter) const { return starts[parameter]; }
  /// Changes with every change of values; what was packed from older values is stale.
  uint64_t version() const { return changes; }
  void changed() { ++changes; }

private:
  const Facts *facts = nullptr;
  std::vector<Block> blocks;
  std::vector<void *> starts;
  uint64_t changes = 1;
};

/// How values of one parameter (or its gradient) are written: a tensor per layer.
void addSlices(const Facts &facts, const Parameter &parameter, const void *values,
               std::vector<TensorToWrite> &tensors);

} // namespace weft::runtime
#endif
