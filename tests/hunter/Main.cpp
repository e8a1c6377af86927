// weft-hunter: random programs, tried until the time is up.
#include "Generate.h"
#include "Hunt.h"
#include "Survey.h"

#include "codegen/Target.h"
#include "ir/model/Precision.h"
#include "ir/model/weights/CacheFormat.h"
#include "ir/model/weights/WeightsAs.h"
#include "tools/reduce/subject/Repeat.h"

#include "llvm/ADT/StringExtras.h"

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <iostream>
#include <random>

using namespace weft;
namespace po = boost::program_options;

int main(int argc, char **argv) {
  hunter::HuntOptions options;
  std::vector<std::string> files;
  std::string findings;
  po::options_description all(
      "usage: weft-hunter [OPTIONS] [FILE.weft ...]\n\nTries random programs (or "
      "those files) in every way: compiled against interpreted.\n\noptions");
  auto add = all.add_options();
  add("seed", po::value(&options.seed), "of the first program (new each time, and printed)");
  add("count", po::value(&options.count), "how many programs (100, without --minutes)");
  add("minutes", po::value(&options.minutes), "for how long");
  add("computing", po::value(&options.computing), "seconds of computing, of all workers together");
  add("jobs", po::value(&options.jobs)->default_value(2), "workers");
  add("findings", po::value(&findings), "the folder that small programs go to which fail");
  add("limit", po::value(&options.trialSeconds)->default_value(reduce::usualLimit),
      "seconds of computing for one program");
  add("shrink", po::value(&options.shrinkSeconds)->default_value(120),
      "seconds to make one smaller; 0: none");
  add("stop", po::value(&options.stops)->composing(),
      "at the first finding of this kind (values, stage, …; any); may be repeated");
  add("passes", "compile nothing: passes are looked at alone, four times as many programs");
  add("target", po::value(&options.target),
      "what is compiled for: cpu (the usual), cuda-emulated or c");
  add("precision", po::value(&options.precision),
      "float32 or bf16 (one program in five is compiled with bf16)");
  add("weights-as", po::value(&options.weights),
      "which weights are whole numbers: int8,head=int8 (one program in four has some)");
  add("caches-as", po::value(&options.caches),
      "how caches are kept: float32, bf16 or int8 (one program in four says so)");
  add("isa", po::value(&options.isa),
      "which instruction set of processors (most programs name one); what the machine lacks is "
      "stood in for");
  add("survey", "what the programs are made of, and try nothing");
  add("print", "print the programs, and try nothing");
  add("help,h", "this text");
  add("file", po::value(&files), "");
  po::positional_options_description rest;
  rest.add("file", -1);
  po::variables_map given;
  try {
    po::store(po::command_line_parser(argc, argv).options(all).positional(rest).run(), given);
    po::notify(given);
  } catch (const po::error &problem) {
    fmt::print(stderr, "weft-hunter: {}\n", problem.what());
    return 2;
  }
  if (given.count("help")) {
    std::cout << all;
    return 0;
  }
  if (!options.target.empty() && !targetNamed(options.target)) {
    fmt::print(stderr, "weft-hunter: there is no target `{}`\n", options.target);
    return 2;
  }
  if (!options.precision.empty() && !model::precisionNamed(options.precision)) {
    fmt::print(stderr, "weft-hunter: there is no precision `{}`; it is {}\n", options.precision,
               model::precisionNames());
    return 2;
  }
  if (std::string problem;
      !options.weights.empty() && !model::readWeightsAs(options.weights, problem)) {
    fmt::print(stderr, "weft-hunter: --weights-as: {}\n", problem);
    return 2;
  }
  if (!options.weights.empty() && !options.target.empty() &&
      !readsPanels(*targetNamed(options.target))) {
    fmt::print(stderr, "weft-hunter: --weights-as: kernels of `{}` read no whole numbers\n",
               options.target);
    return 2;
  }
  if (!options.caches.empty() && !model::cacheFormatNamed(options.caches)) {
    fmt::print(stderr, "weft-hunter: caches are kept as {}, not as `{}`\n", model::cacheFormatNames,
               options.caches);
    return 2;
  }
  if (!options.isa.empty() && !options.target.empty() && options.target != cpuTarget().name()) {
    fmt::print(stderr, "weft-hunter: --isa: `{}` is not for processors, whose sets these are\n",
               options.target);
    return 2;
  }
  if (!options.isa.empty() && !llvm::is_contained(cpuTarget().instructionSets(), options.isa)) {
    fmt::print(stderr, "weft-hunter: there is no instruction set `{}`; there are {}\n", options.isa,
               llvm::join(cpuTarget().instructionSets(), ", "));
    return 2;
  }
  options.findings = findings;
  options.compiles = !given.count("passes");
  options.shrinks = options.shrinkSeconds > 0;
  if (!files.empty())
    return hunter::retry(files, options) ? 1 : 0;
  if (!given.count("seed"))
    options.seed = std::random_device()();
  if (!options.count && options.minutes == 0 && options.computing == 0)
    options.count = 100;
  if (given.count("print")) {
    for (uint64_t i = 0; i < options.count; ++i) {
      reduce::Subject subject = hunter::generate(options.seed + i);
      fmt::print("{}\n", reduce::withHeader(subject, {}, fmt::format("seed {}", options.seed + i)));
    }
    return 0;
  }
  fmt::print("weft-hunter --seed {}\n", options.seed);
  fflush(stdout);
  if (given.count("survey"))
    return hunter::survey(options.seed, options.count) ? 1 : 0;
  return hunter::hunt(options) ? 1 : 0;
}
