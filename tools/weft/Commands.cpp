// The table of subcommands.
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"

#include "runtime/program/run/RunOptions.h"

namespace weft {

using Specs = std::vector<OptionSpec>;

static Specs joined(Specs all, const Specs &more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

static constexpr const char *derivedToo =
    "this entry and what it derives only, or one of these alone (train.gradient)";

static const OptionSpec targetOption = {
    "target", "NAME",
    "what to build for: cpu; cuda, NVIDIA's GPUs; cuda-emulated, the same on this machine; c, "
    "portable C for the machine's C compiler; build makes one program for several: cpu,cuda (cpu)"};

/// Of the commands that lower the program.
static Specs with(const Specs &more) {
  return joined(joined(sourceOptions(), loweringOptions()), more);
}

/// Of `tune`, which makes what --tuned takes.
static Specs optionsOfTune() {
  Specs specs = sourceOptions();
  for (const OptionSpec &spec : loweringOptions())
    if (spec.name != "tuned" && spec.name != "probe")
      specs.push_back(spec);
  return joined(
      specs,
      {{"entry", "NAME,...", "entries, with what they derive, or one alone: train.gradient (all)"},
       targetOption,
       {"isa", "NAME", "x86-64-v3, avx512 or avx512-bf16 (the best for this machine)"},
       {"size", "NAME=N,...", "sizes that come with the data; repeated: runs that count alike"},
       {"only", "TEXT", "kernels whose label has this in it"},
       {"time", "T", "how long it may take: 90s, 10m, 1h (10m)"},
       {"explain", "", "print what was tried of each kernel: predicted, measured"},
       {"again", "", "search kernels too that the file has an entry of"},
       {"merge", "", "join files instead: each kernel's best-founded entry"},
       {"output,o", "FILE", "the tunings, added to those that it has"}});
}

/// Those of a program's `run`, and what is asked of the building.
static Specs optionsOfRun() {
  Specs specs;
  for (const auto &[taker, spec] : runtime::runOptions())
    if (taker != runtime::RunTaker::ProgramOnly)
      specs.push_back({spec.name, spec.value, spec.help});
  return joined(specs, {{"threads", "N", "threads (all cores; SMT siblings are one)"},
                        {"device", "NAME",
                         "where to compute: auto, cpu, cuda, cuda:N or cuda-emulated (auto)"},
                        targetOption,
                        {"isa", "LIST",
                         "instruction sets to build: x86-64-v3, avx512, avx512-bf16, amx; of cuda, "
                         "sm_80, sm_90a (what this machine would choose; of cuda, all)"},
                        {"interpret", "", "the float64 interpreter instead of compiled code"}});
}

const std::vector<Command> &commands() {
  static const std::vector<Command> table = {
      {"check", "weft check FILE.weft [--config NAME]",
       "checks names, dimensions and sizes, under each config too; silent when right",
       sourceOptions(), 1, 1, runCheck},
      {"build", "weft build FILE.weft --config NAME -o PROGRAM | --shared -o LIBRARY.so",
       "makes one native program, or a shared library to embed",
       with({{"output,o", "FILE", "where to write it"},
             targetOption,
             {"isa", "LIST",
              "instruction sets to carry: x86-64-v3, avx512, avx512-bf16, amx; of cuda, sm_80, "
              "sm_90a; native: the CPU's one that this machine would choose (all; avx512-bf16 "
              "and amx where the program gains by them)"},
             {"weights", "PATH",
              "a checkpoint that the program carries, with its tokenizers: then it is one file"},
             {"tokenizer", "KIND",
              "another tokenizer for it: byte, merges:FILE, words:FILE, or a FILE"},
             {"source-tokenizer", "KIND", "the same of the sources that it translates"},
             {"calibrate", "KIND:PATH",
              "with --weights: round them by what multiplies them on this data (text:FILE); the "
              "program "
              "carries them so"},
             {"measure", "KIND:PATH",
              "with --weights: the loss on this data (text:FILE) as built and as float32, and the "
              "change"},
             {"gradients-of", "ENTRY,...",
              "gradients of these too; entries that give a single number have theirs anyway"},
             {"shared", "", "a shared library (.so) with the C interface of weft.h"},
             {"prefix", "DIR",
              "with --shared: the library, weft.h and a pkg-config file, below this folder"},
             {"symbol-prefix", "TEXT",
              "with --shared: export TEXTweft_api alone, so that several can be linked"}}),
       1, 1, runBuild},
      {"run", "weft run FILE.weft --entry NAME --input 'x=[[1, 2]]' | --inputs I.safetensors",
       "builds an entry and runs it once, or interprets it in float64; prints or writes its "
       "results",
       with(optionsOfRun()), 1, 1, runRun},
      {"show", "weft show FILE.weft --config NAME --at STAGE",
       "prints the program at a stage, from its source to assembly",
       with({{"at", "STAGE", "source, model, fused, kernel, plan, llvm, asm, c (model)"},
             targetOption,
             {"isa", "NAME",
              "for llvm and asm: x86-64-v3, avx512, avx512-bf16, amx or native, what this machine "
              "would choose (x86-64-v3); for ptx: sm_80 or sm_90a (sm_80)"},
             {"entry", "NAME", derivedToo},
             {"locations", "",
              "with MLIR's own locations: nothing is lost when `weft-opt` reads it back"},
             {"bare", "", "one op a line, without the source line behind it"},
             {"passes", "", "the stages, their promises and their passes instead"},
             {"output,o", "FILE", "write there instead of printing"}}),
       0, 1, runShow},
      {"draw", "weft draw FILE.weft --config NAME [--entry NAME] -o GRAPH.svg",
       "draws what an entry computes, kernel by kernel, and what flows where",
       with({{"entry", "NAME", "which entry (the first)"},
             {"output,o", "FILE", "where to write the picture (SVG)"}}),
       1, 1, runDraw},
      {"kernel", "weft kernel FILE.weft --config NAME --size batch=4,seq=64 --time --check",
       "runs the kernels of a program one by one: tasks, times, and how far each is from the "
       "interpreter; FILE may be a dump of the stage kernel, with schedules set by hand",
       with({{"entry", "NAME", derivedToo},
             targetOption,
             {"only", "TEXT", "kernels whose label has this in it"},
             {"size", "NAME=N,...",
              "sizes that come with the data; for --check alone those that are left out are small"},
             {"time", "",
              "microseconds a run: the median and the quartiles; of cuda-emulated, what is "
              "predicted for a GPU"},
             {"check", "",
              "the largest difference from the float64 interpreter, relative to the results"},
             {"every-schedule", "", "with every schedule that is legal, the default first"},
             {"isa", "NAME",
              "x86-64-v3, avx512, avx512-bf16 or amx (the best for this machine, amx aside); of "
              "cuda-emulated, sm_80 or sm_90a (sm_80)"},
             {"threads", "N", "threads (all cores; SMT siblings are one)"},
             {"rounds", "N", "runs that are timed (15)"},
             {"warm", "", "time with buffers that the run before has left in the caches"}}),
       1, 1, runKernel},
      {"tune",
       "weft tune FILE.weft --config NAME --size batch=4,seq=64 -o TUNED | weft tune --merge A B "
       "-o TUNED",
       "searches faster schedules for the kernels of a program on this machine, for `--tuned` of "
       "the other commands",
       optionsOfTune(), 1, 1000, runTune},
      {"explain", "weft explain FILE.weft --config NAME | weft explain E0301",
       "says what was fused and what was not, kernels, memory; or what an error code means",
       with({{"entry", "NAME", derivedToo},
             targetOption,
             {"size", "NAME=N,...",
              "sizes that come with the data, for memory and times (their bounds, or 64)"}}),
       1, 1, runExplain},
      {"params", "weft params FILE.weft --config NAME",
       "lists every parameter: name, dimensions, size, element type",
       joined(sourceOptions(), {{"entry", "NAME", "those of this entry only"}}), 1, 1, runParams},
      {"init", "weft init FILE.weft --config NAME --seed N -o W.safetensors",
       "writes initial parameters",
       joined(sourceOptions(), {{"entry", "NAME", "those of this entry only"},
                                {"seed", "N", "which random numbers (0)"},
                                {"output,o", "FILE", "where to write them"}}),
       1, 1, runInit},
      {"import", "weft import FILE.weft --config NAME --clause NAME --from FILE ... -o DIR",
       "makes a checkpoint of one of another project, read as a `weights` clause says",
       with({{"clause", "NAME", "which `weights` clause (the file's own)"},
             {"from", "FILE...",
              "safetensors files, their index or folder, GGUF files of llama.cpp, or a .bin of "
              "llama2.c (version 0); may be repeated"},
             {"prefix", "TEXT", "what stands before every name in the file"},
             {"tokenizer", "KIND", "byte, merges:FILE, words:FILE, or a FILE, to go with it"},
             {"source-tokenizer", "KIND", "the same of the sources that it translates"},
             {"expect", "FILE", "inputs and results of an entry, by name: run it and compare"},
             {"entry", "NAME", "of --expect: which entry (the one that has these inputs)"},
             {"tolerance", "X",
              "of --expect: the difference allowed, relative to the largest number (1e-3)"},
             {"isa", "LIST", "of --expect: instruction sets to build for (native)"},
             {"output,o", "DIR", "the checkpoint: generate, eval, run and train --init take it"}}),
       1, 1000, runImport},
      {"export", "weft export FILE.weft --config NAME --clause NAME --from CHECKPOINT -o FILE",
       "writes a checkpoint as a `weights` clause says: the names and layouts of another project",
       joined(
           sourceOptions(),
           {{"clause", "NAME", "which `weights` clause (the file's own)"},
            {"from", "PATH", "a training's folder, one of its checkpoints, or a file of weights"},
            {"prefix", "TEXT", "what stands before every name in the file"},
            {"dtype", "TYPE", "f32 (as they are), or rounded: f16, bf16"},
            {"entry", "NAME", "those of this entry only"},
            {"output,o", "FILE",
             "where to write them: a safetensors file, or a .bin of llama2.c (version 0)"}}),
       1, 1, runExport},
      {"fmt",
       "weft fmt FILE.weft ... [--write | --check]",
       "formats sources; keeps comments",
       {{"write,w", "", "rewrite the files instead of printing"},
        {"check", "", "only say which files are not formatted"}},
       1,
       1000,
       runFmt},
      {"reduce",
       "weft reduce FILE.weft -o SMALL.weft [--size b=3,seq=7] [--seed N]",
       "makes a program that fails (a crash, an internal error, compiled code that differs from "
       "the "
       "interpreter)\nas small as it goes on failing in the same way",
       {{"output,o", "FILE", "where the small program goes (it is printed)"},
        {"size", "NAME=N,...", "sizes of what comes with the data; repeated: several runs (drawn)"},
        {"seed", "N", "of all numbers that are drawn: inputs, parameters, sizes (1)"},
        {"config,c", "NAME", "sizes and options from this config of the file"},
        {"set", "NAME=VALUE,...", "a size or an option; wins over the config"},
        {"without", "PASS,...", "compile it once more without these passes, and compare that too"},
        targetOption,
        {"precision", "NAME", "float32, tf32 or bf16 (float32)"},
        {"weights-as", "NAME,...", "weights of products: int8, int4 or float32, by part PATH=int4"},
        {"caches-as", "NAME", "caches of a decoding: float32, bf16 or int8"},
        {"isa", "NAME",
         "one instruction set only: x86-64-v3, avx512, avx512-bf16 or amx; what "
         "this machine lacks of it is stood in for"},
        {"schedules", "N",
         "draw the schedule of each kernel from those that are legal, by this seed (the default)"},
        {"ties", "", "draw coarse numbers, many of them equal"},
        {"extreme", "", "draw also infinite numbers, NaN and -0"},
        {"chunks", "", "compute logits in chunks, as --recompute-budget does"},
        {"quick", "", "leave out LLVM's optimizations: much faster, the same kernels"},
        {"limit", "SECONDS", "of computing, for one try (200)"},
        {"seconds", "N", "after which the smallest so far is given (600)"}},
       1,
       1,
       runReduce},
      {"doctor",
       "weft doctor",
       "says what this machine has and what a build would use",
       {},
       0,
       0,
       runDoctor},
  };
  return table;
}

} // namespace weft
