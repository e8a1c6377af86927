// `weft build`: one native program.
#include "tools/weft/build/Build.h"
#include "codegen/host/Finish.h"
#include "codegen/host/Link.h"
#include "ir/plan/Plan.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Inference.h"
#include "tools/weft/build/Calibrated.h"
#include "tools/weft/build/CarriedWeights.h"
#include "tools/weft/build/InstructionSets.h"
#include "tools/weft/build/Measured.h"
#include "tools/weft/build/Package.h"
#include "tools/weft/weights/CachesReport.h"
#include "tools/weft/weights/WeightsReport.h"

#include "ir/model/weights/WeightsAs.h"
#include "runtime/base/files/NewFile.h"

#include "ir/model/Entries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace weft {

/// What is wrong with a name that says something else than `--shared` does, or nothing.
static std::optional<std::string> wrongName(llvm::StringRef output, bool shared) {
  llvm::StringRef name = llvm::sys::path::filename(output);
  bool isShared = name.ends_with(".so") || name.contains(".so.");
  if (!shared && isShared)
    return fmt::format("`-o {}`: that is the name of a library; add `--shared` to build one, or "
                       "name the program without `.so`",
                       output.str());
  for (llvm::StringRef other : {".a", ".o", ".lib", ".dll", ".dylib"})
    if (name.ends_with(other))
      return shared ? fmt::format("`-o {}`: `--shared` makes a shared library; name it `{}.so`",
                                  output.str(), output.drop_back(other.size()).str())
                    : fmt::format("`-o {0}`: `weft build` makes programs, and with `--shared` "
                                  "shared libraries (`-o {1}.so`), no `{2}`; name the program "
                                  "without it",
                                  output.str(), output.drop_back(other.size()).str(), other.str());
  return std::nullopt;
}

/// What stands in the way of writing a program there, or nothing: known before the work is done.
static std::optional<std::string> obstacle(const std::string &output) {
  namespace fs = llvm::sys::fs;
  if (fs::exists(output) && !fs::is_regular_file(output))
    return fs::is_directory(output) ? "it is a folder" : "it is no file";
  std::string folder = runtime::folderOf(runtime::followed(output));
  if (access(folder.c_str(), W_OK) != 0)
    return fmt::format("{}: {}", folder, std::strerror(errno));
  return std::nullopt;
}

/// Whether some loss is of data of this kind.
static bool reads(mlir::ModuleOp module, llvm::StringRef name) {
  return llvm::any_of(dataOfLosses(module), [&](mlir::DictionaryAttr data) {
    return data && data.getAs<mlir::StringAttr>("kind") == name;
  });
}

/// Whether a decoding takes more than the sequence that it continues: a source, then.
static bool takesSource(mlir::ModuleOp module) {
  return llvm::any_of(module.getOps<model::DecodingOp>(), [&](model::DecodingOp decoding) {
    mlir::FlatSymbolRefAttr name = decoding.getAdvanceAttr();
    auto advance = name ? module.lookupSymbol<plan::EntryOp>(name) : nullptr;
    return decoding.getBegin() ||
           (advance &&
            llvm::count_if(advance.getInputs(), [](mlir::Attribute input) {
              return !llvm::cast<mlir::DictionaryAttr>(input).contains(model::attr::cache);
            }) > 1);
  });
}

static runtime::Status writeProgram(const std::string &output, const LinkedProgram &linked,
                                    const CarriedWeights *carried) {
  runtime::Result<runtime::NewFile> file = runtime::NewFile::create(output, 0777);
  if (!file)
    return file.error();
  runtime::Status status = file->write(linked.bytes.data(), linked.bytes.size());
  if (status && carried)
    status = carried->append(*file, linked.bytes.size());
  return status ? file->commit() : status;
}

/// Whether a cache is kept as asked for; else that is said.
static bool keepsCachesAsAsked(mlir::ModuleOp plan, const char *said) {
  std::optional<model::CacheFormat> format = model::cacheFormatOf(plan);
  if (!format || *format == model::CacheFormat::float32 || keepsCachesAs(plan, *format))
    return true;
  bool rounds = *format == model::CacheFormat::int8;
  fmt::print(stderr, "weft: {}: no cache is kept as `{}`: {}\n", said,
             model::cacheFormats[unsigned(*format)],
             rounds ? "keys and values of attention are, of whole groups of 32 numbers; `weft "
                      "explain` says why each cache stays as it is"
                    : "running totals stay float32, and there is nothing else");
  return false;
}

/// Whether weights are rounded, and, of a whole program, wherever it is asked for, by --weights-as
/// or `weights_as` (`said`); else that is said.
static bool roundsAsAsked(mlir::ModuleOp plan, bool whole, const char *said) {
  std::optional<model::WeightsAs> asked = model::weightsAsOf(plan);
  if (asked && asked->rounds() && weightsReport(plan).empty()) {
    fmt::print(stderr,
               "weft: {} rounds nothing: weights are rounded that go straight into a product, in "
               "entries that change none, and those of the last product as `head`; `weft explain` "
               "says which do not\n",
               said);
    return false;
  }
  if (std::string path = whole ? pathWithoutWeights(plan) : ""; !path.empty()) {
    fmt::print(stderr,
               "weft: {}: no weight of `{}` goes straight into a product of an entry that changes "
               "none, so `{}=` rounds nothing; `weft explain` says what stays\n",
               said, path, path);
    return false;
  }
  return true;
}

/// Code of the program for all targets, from the stage `fused` on: each is a program of its own,
/// which names the next one.
static bool emitAll(Compilation &compilation, const SetsToBuild &sets,
                    const std::string &weightsFrom, std::optional<CarriedWeights> &carried,
                    std::vector<EmittedCode> &objects) {
  llvm::ArrayRef<const Target *> targets = compilation.allTargets;
  auto symbol = [](size_t number) {
    return number == 0 ? std::string("weft_program") : fmt::format("weft_program_{}", number);
  };
  std::vector<mlir::OwningOpRef<model::CarriedOp>> notes; // of what is carried, for all modules
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> plans;   // of the targets before
  std::vector<LoweredCode> codes;
  for (auto [number, target] : llvm::enumerate(targets)) {
    bool isFirst = number == 0, isLast = number + 1 == targets.size();
    mlir::OwningOpRef<mlir::ModuleOp> fused;
    if (!isLast)
      fused = compilation.copyModule();
    compilation.target = target;
    if (!compilation.lower("plan", "fused"))
      return false;
    if (compilation.module().getOps<plan::EntryOp>().empty()) {
      fmt::print(stderr, "weft: without weft-build-plan there is nothing to make code of\n");
      return false;
    }
    // Other targets pack otherwise, and all of a program carry the same.
    const bool packs = !weightsFrom.empty() && compilation.arguments.has("inference") &&
                       targets.size() == 1 && target == &cpuTarget();
    if (!weightsFrom.empty() && !carried) {
      carried.emplace(compilation.module());
      if (!carried->load(weightsFrom, compilation.arguments, packs) ||
          !compilation.overwritesNoInput())
        return false;
      for (auto op : compilation.module().getOps<model::CarriedOp>())
        notes.emplace_back(op.clone());
    } else {
      auto builder = mlir::OpBuilder::atBlockBegin(compilation.module().getBody());
      for (mlir::OwningOpRef<model::CarriedOp> &note : notes)
        builder.insert((*note)->clone());
    }
    // What a config says of a whole program need not hold for one entry of it.
    bool asked = compilation.arguments.has("weights-as"), whole = compilation.only.empty();
    if ((asked || whole) && !roundsAsAsked(compilation.module(), whole,
                                           asked ? "--weights-as" : "`weights_as` of the config"))
      return false;
    if (whole && !keepsCachesAsAsked(compilation.module(), compilation.arguments.has("caches-as")
                                                               ? "--caches-as"
                                                               : "`caches_as` of the config"))
      return false;
    if (isFirst && compilation.arguments.has("calibrate") &&
        !calibrate(compilation.arguments, compilation.module(), *carried))
      return false;
    if (packs && !carried->pack())
      return false;
    std::vector<std::string> carriedSets = sets.carried(number, *target, compilation.module());
    auto lowered = target->lower(compilation.module(), objectForm, carriedSets, CodeEffort::full,
                                 {symbol(number), isLast ? "" : symbol(number + 1)});
    if (failed(lowered))
      return false;
    codes.push_back(std::move(*lowered));
    if (!isLast)
      plans.push_back(compilation.replaceModule(std::move(fused)));
  }
  auto code = finish(std::move(codes));
  if (failed(code))
    return false;
  objects = std::move(*code);
  return true;
}

/// Whether there is a problem; prints it.
static bool said(const std::optional<std::string> &problem) {
  if (problem)
    fmt::print(stderr, "weft build: {}\n", *problem);
  return problem.has_value();
}

int buildTo(Compilation &compilation, const std::string &output, RunsOn where, bool shared,
            const std::string &weightsFrom) {
  if (!compilation.target)
    return exitUsage;
  std::optional<SetsToBuild> sets =
      setsToBuild(compilation.arguments, compilation.allTargets, where);
  if (!sets)
    return exitUsage;
  if (!compilation.model())
    return compilation.exitCode();
  if ((compilation.arguments.has("calibrate") && said(wrongToCalibrate(compilation.module()))) ||
      (compilation.arguments.has("measure") && said(wrongToMeasure(compilation.module()))))
    return exitUser;
  if (compilation.module().getOps<mlir::func::FuncOp>().empty()) {
    fmt::print(stderr, "weft: {} has no entry, so there is nothing to build\n", compilation.file);
    return exitUser;
  }
  std::vector<EmittedCode> objects;
  std::optional<CarriedWeights> carried;
  if (!compilation.lower("fused") || !emitAll(compilation, *sets, weightsFrom, carried, objects))
    return compilation.exitCode();
  LinkOptions options{.name = output.substr(output.rfind('/') + 1),
                      .archives = {},
                      .whole = {},
                      .needed = {},
                      .shared = shared,
                      .prefix = compilation.arguments.get("symbol-prefix")};
  std::string lib = installationFolder() + "/lib/weft/";
  if (shared)
    options.whole.push_back(lib + "libweft_api.a");
  else
    options.archives.push_back(lib + "libweft_main.a");
  // runtime/Archives.h: an archive is bound by its one symbol
  auto linkArchive = [&](const std::string &name) {
    options.archives.push_back(lib + "lib" + name + ".a");
    options.needed.push_back(name);
  };
  if (!shared && reads(compilation.module(), "images"))
    linkArchive("weft_images");
  // of `weft run`, which has one entry without its training: texts may be split into words
  bool words = compilation.arguments.has("source") || compilation.arguments.has("prompt");
  if (words || reads(compilation.module(), "pairs") || takesSource(compilation.module()))
    linkArchive("weft_translation");
  for (const Target *target : compilation.allTargets)
    for (llvm::StringRef archive : target->archives())
      linkArchive(archive.str());
  options.archives.push_back(lib + "libweft_runtime.a");
#ifdef WEFT_SANITIZER
  // The runtime beside a sanitized compiler is sanitized; a shared library finds it in its host.
  llvm::SmallVector<llvm::StringRef> sanitizer;
  if (!shared)
    llvm::StringRef(WEFT_SANITIZER).split(sanitizer, ':');
  options.whole.insert(options.whole.end(), sanitizer.begin(), sanitizer.end());
#endif
  LinkedProgram linked = link(objects, options);
  if (linked.problem) {
    fmt::print(stderr, "weft: {}\n", *linked.problem);
    return exitUser;
  }
  runtime::Status written = writeProgram(output, linked, carried ? &*carried : nullptr);
  if (!written)
    fmt::print(stderr, "weft: {}\n", written.error().message);
  return written ? exitOk : exitUser;
}

/// What is wrong with `--symbol-prefix`, or nothing.
static std::optional<std::string> wrongPrefix(const Arguments &arguments) {
  std::string prefix = arguments.get("symbol-prefix");
  if (!arguments.has("shared"))
    return "`--symbol-prefix` goes with `--shared`: a program offers no names";
  bool isName = !prefix.empty() && !llvm::isDigit(prefix.front()) &&
                llvm::all_of(prefix, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isName)
    return fmt::format("`--symbol-prefix {}`: expected the beginning of a name in C, such as "
                       "`gpt_`; the library then offers `gpt_weft_api`",
                       prefix);
  return std::nullopt;
}

int runBuild(const Arguments &arguments) {
  if (arguments.has("symbol-prefix") && said(wrongPrefix(arguments)))
    return exitUsage;
  std::optional<Package> package;
  if (arguments.has("prefix")) {
    if (said(wrongForPackage(arguments)))
      return exitUsage;
    package = packageOf(arguments);
  }
  if (!package && !arguments.has("output")) {
    fmt::print(stderr, "weft build: where to? add `-o {}`\n",
               arguments.has("shared") ? "LIBRARY.so" : "PROGRAM");
    return exitUsage;
  }
  if (said(wrongName(arguments.get("output"), arguments.has("shared"))))
    return exitUsage;
  if (package)
    if (runtime::Status made = makeFolders(*package); !made) {
      fmt::print(stderr, "weft build: {}\n", made.error().message);
      return exitUser;
    }
  std::string output = package ? package->library() : arguments.get("output");
  if (std::optional<std::string> problem = obstacle(output)) {
    fmt::print(stderr, "weft build: cannot write `{}`: {}\n", output, *problem);
    return exitUser;
  }
  for (const char *option : {"tokenizer", "source-tokenizer"})
    if (arguments.has(option) && !arguments.has("weights")) {
      fmt::print(stderr, "weft build: --{} goes with --weights\n", option);
      return exitUsage;
    }
  if ((arguments.has("calibrate") && said(wrongForCalibrate(arguments))) ||
      (arguments.has("measure") && said(wrongForMeasure(arguments))))
    return exitUsage;
  Compilation compilation(arguments, /*several=*/true);
  compilation.gradients = true;
  if (package) {
    compilation.outputs.clear(); // where -o says how the library is called
    for (const std::string &file : {output, package->header(), package->description()})
      compilation.outputs.push_back({"prefix", file});
  }
  int code = buildTo(compilation, output, RunsOn::everyMachine, arguments.has("shared"),
                     arguments.get("weights"));
  if (code != exitOk)
    return code;
  fmt::print("{}{}", weightsReport(compilation.module()), cachesReport(compilation.module()));
  bool isOfCpu = compilation.allTargets.size() == 1 && compilation.target == &cpuTarget();
  if (arguments.has("inference") && arguments.has("weights") && !isOfCpu)
    fmt::print("weights are carried as float32: as products read them they are carried by programs "
               "of the target cpu alone\n");
  if (arguments.has("measure"))
    return measure(arguments, output);
  if (!package)
    return code;
  if (runtime::Status written = writeInterface(*package, arguments); !written) {
    fmt::print(stderr, "weft build: {}\n", written.error().message);
    return exitUser;
  }
  return exitOk;
}

} // namespace weft
