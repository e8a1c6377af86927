// One name, one tensor: what a file cannot hold is said before it is written.
#include "runtime/program/run/RunOutputs.h"

#include <set>

using namespace weft::runtime;

Status weft::runtime::writeRunOutputs(std::string_view option, const std::string &path,
                                      const std::vector<TensorToWrite> &tensors) {
  std::set<std::string_view> names;
  for (const TensorToWrite &tensor : tensors)
    if (!names.insert(tensor.name).second)
      return Error{Code::Usage,
                   option == "gradients"
                       ? text("--gradients %s: a parameter and an input that have gradients are "
                              "both called `%s`; call one of them otherwise",
                              path.c_str(), tensor.name.c_str())
                       : text("--outputs %s: a result and a gradient are both called `%s`; "
                              "with --gradients FILE they are apart",
                              path.c_str(), tensor.name.c_str())};
  return writeSafetensors(path, tensors);
}
