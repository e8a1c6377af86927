// Evaluates a program that keeps narrower numbers beside the same in float32.
#include "tools/weft/build/Measured.h"

#include "ir/model/Entries.h"
#include "ir/model/Model.h"
#include "ir/model/weights/WeightsAs.h"
#include "tools/weft/base/Inference.h"
#include "tools/weft/build/Build.h"
#include "tools/weft/build/Scratch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace weft {

std::optional<std::string> wrongForMeasure(const Arguments &arguments) {
  if (arguments.has("shared"))
    return "--measure runs the program that is built, and with --shared there is none";
  if (!arguments.has("weights"))
    return "--measure goes with --weights: it is their loss that is measured";
  return std::nullopt;
}

std::optional<std::string> wrongToMeasure(mlir::ModuleOp module) {
  if (dataOfLosses(module).empty())
    return "--measure: the program has no loss: it has no entry made by `minimize`";
  std::optional<model::WeightsAs> weights = model::weightsAsOf(module);
  if (model::precisionOf(module) == model::Precision::float32 && !(weights && weights->rounds()))
    return model::cacheFormatOf(module)
               ? "--measure evaluates, which reads no caches: `--caches-as` changes nothing there"
               : "--measure compares with float32, and this program keeps all numbers as float32; "
                 "add `--weights-as int8` or `--precision bf16`";
  return std::nullopt;
}

/// What `eval --json` says of a program that carries its weights; nothing if it failed, which it
/// has said.
static std::optional<nlohmann::json> evaluated(const std::string &program, const std::string &data,
                                               const std::string &folder) {
  std::string said = folder + "/said";
  if (runProgram(program, {"eval", "--data", data, "--json"}, said) != exitOk)
    return std::nullopt;
  std::ifstream file(said);
  return nlohmann::json::parse(file);
}

int measure(const Arguments &arguments, const std::string &program) {
  ScratchFolder folder;
  if (folder.path.empty())
    return exitUser;
  Arguments exact = arguments;
  for (const char *option : {"measure", "calibrate", "each-pass"})
    exact.values.erase(option);
  exact.values["precision"] = exact.values["weights-as"] = {"float32"};
  exact.values.erase("caches-as"); // which no loss reads
  exact.values["output"] = {folder.path + "/program"};
  Compilation compilation(exact, /*several=*/true);
  compilation.gradients = true;
  compilation.warns = false;
  if (int code = buildTo(compilation, exact.get("output"), RunsOn::thisMachine, false,
                         exact.get("weights"));
      code != exitOk)
    return code;
  std::string data = arguments.get("measure");
  // A program without a folder would be looked for on the PATH.
  std::string here = program.find('/') == std::string::npos ? "./" + program : program;
  auto before = evaluated(exact.get("output"), data, folder.path);
  auto after = before ? evaluated(here, data, folder.path) : std::nullopt;
  if (!after)
    return exitUser;
  fmt::print("{}", data);
  const char *separator = ": ";
  for (const char *name : {"loss", "perplexity"})
    if (before->contains(name)) {
      double exactly = (*before)[name], now = (*after)[name];
      fmt::print("{}{} {:.6g}, of float32 {:.6g} ({:+.3f} %)", separator, name, now, exactly,
                 100 * (now / exactly - 1));
      separator = "; ";
    }
  fmt::print("\n");
  return exitOk;
}

} // namespace weft
