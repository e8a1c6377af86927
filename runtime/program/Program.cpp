// The command line of a compiled program.
#include "runtime/program/Command.h"

#include "runtime/base/files/ReadFiles.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace weft::runtime;

static std::vector<Command> allCommands() {
  return {trainCommand(), generateCommand(), evalCommand(), runCommand(),
          benchCommand(), profileCommand(),  infoCommand()};
}

static std::vector<OptionSpec> sharedOptions() {
  return {
      {"threads", "N",
       "threads to compute with (default: the cores available; SMT\nsiblings are one)"},
      {"isa", "NAME",
       "kernels to use: x86-64-v3, avx512, avx512-bf16 or amx (default: the best; also\n"
       "WEFT_ISA)"},
      {"device", "NAME",
       "where to compute: auto, cpu, cuda, cuda:N or cuda-emulated (default: auto, a\nCUDA device "
       "if the program has code for one and there is one; also WEFT_DEVICE)"},
      {"help", "", "this text"}};
}

static const char *baseName(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/// The commands that this program can do something with.
static void printUsage(FILE *stream, const WeftProgram &program, const char *name,
                       const std::vector<Command> &commands) {
  Result<Facts> facts = readFacts({program.json, program.json_size});
  fprintf(stream, "usage: %s COMMAND [options]\n\n", name);
  for (const Command &command : commands)
    if (!command.applies || !facts || command.applies(*facts))
      fprintf(stream, "  %-10s %s\n", command.name, command.purpose);
  fprintf(stream, "\n%s COMMAND --help says more.\n", name);
}

static int fail(const char *program, const char *command, const Error &error) {
  fprintf(stderr, "%s: %s\n", program, error.message.c_str());
  if (error.code == Code::Usage)
    fprintf(stderr, "`%s %s%s--help` lists the options.\n", program, command, *command ? " " : "");
  return exitCode(error.code);
}

/// Of the options, those that mean something to this program.
static int printHelp(const WeftProgram &program, const char *name, const Command &command,
                     std::vector<OptionSpec> specs) {
  Result<Facts> facts = readFacts({program.json, program.json_size});
  if (!facts)
    return fail(name, command.name, facts.error());
  std::erase_if(specs, [&](const OptionSpec &spec) {
    return command.understands && !command.understands(*facts, spec.name);
  });
  printf("usage: %s %s [options]\n\n%s\n\n%s", name, command.name, command.details,
         optionHelp(specs, *facts).c_str());
  return 0;
}

static Result<std::unique_ptr<Model>> openModel(const WeftProgram &program, const Options &options,
                                                bool parameters) {
  Result<int64_t> threads = options.integer("threads", 0, 1, 1024);
  if (!threads)
    return threads.error();
  std::string isa = options.string("isa");
  const char *forced = options.has("isa") ? isa.c_str() : getenv("WEFT_ISA");
  std::string device = options.string("device");
  const char *fromOutside = getenv("WEFT_DEVICE");
  const char *wanted = options.has("device")         ? device.c_str()
                       : fromOutside && *fromOutside ? fromOutside
                                                     : "auto";
  Result<std::unique_ptr<Model>> model =
      Model::open(program, {.threads = static_cast<int>(*threads),
                            .pin = true,
                            .isa = forced,
                            .parameters = parameters,
                            .device = wanted});
  bool wasChosen = program.next && !strcmp(wanted, "auto") && !options.has("quiet");
  if (model && wasChosen && !(*model)->reason.empty())
    fprintf(stderr, "device: %s\n", (*model)->reason.c_str());
  return model;
}

/// The file that this process runs.
static std::string ownFile() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string own(path, length > 0 ? static_cast<size_t>(length) : 0);
  return access(own.c_str(), R_OK) == 0 ? own : "/proc/self/exe"; // one that was replaced meanwhile
}

static int runCommandLine(const WeftProgram &program, const char *name, int argc, char **argv) {
  std::vector<Command> commands = allCommands();
  if (argc < 2) {
    printUsage(stderr, program, name, commands);
    return exitCode(Code::Usage);
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    printUsage(stdout, program, name, commands);
    return 0;
  }
  auto command = std::find_if(commands.begin(), commands.end(),
                              [&](const Command &c) { return !strcmp(c.name, argv[1]); });
  if (command == commands.end())
    return fail(name, "", {Code::Usage, text("unknown command `%s`", argv[1])});
  std::vector<OptionSpec> specs = command->options;
  for (const OptionSpec &shared : sharedOptions())
    specs.push_back(shared);
  Result<Options> options = Options::parse(argc, argv, 2, specs);
  if (!options)
    return fail(name, command->name, options.error());
  if (options->has("help"))
    return printHelp(program, name, *command, std::move(specs));
  Result<std::unique_ptr<Model>> model = openModel(program, *options, command->needsParameters);
  if (!model)
    return fail(name, command->name, model.error());
  ReadFiles read;
  if (Status status = (*model)->takeCarried(ownFile()); !status)
    return fail(name, command->name, status.error());
  Result<int> done = command->run(**model, *options);
  return done ? *done : fail(name, command->name, done.error());
}

int weft::runtime::runProgram(const WeftProgram &program, int argc, char **argv) {
  const char *name = baseName(argc > 0 ? argv[0] : "program");
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of what is written
  int code = runCommandLine(program, name, argc, argv);
  bool arrived = fflush(stdout) == 0 && !ferror(stdout);
  return arrived || code != 0
             ? code
             : fail(name, "", {Code::File, text("cannot write the output: %s", strerror(errno))});
}

Status weft::runtime::checkOutputs(const Options &options,
                                   std::initializer_list<const char *> names) {
  std::vector<NamedOutput> outputs;
  for (const char *name : names)
    if (options.has(name))
      outputs.push_back({name, options.string(name)});
  return ReadFiles::checkOutputs(outputs);
}
