// Opening a program.
#include "runtime/model/Model.h"

#include "runtime/machine/Cores.h"
#include "runtime/machine/Isa.h"

using namespace weft::runtime;

static constexpr int mostThreads = 1024;

Model::Model(const WeftProgram &program, Facts facts_, int isa, std::unique_ptr<Pool> pool)
    : program(program), facts(std::move(facts_)), isa(isa), pool(std::move(pool)) {}

Result<std::unique_ptr<Model>> Model::open(const WeftProgram &program, ModelOptions options) {
  if (program.abi_version != WEFT_ABI_VERSION)
    return Error{Code::Internal,
                 text("the program was built for version %u of the runtime, this is version %u",
                      program.abi_version, WEFT_ABI_VERSION)};
  Result<Facts> facts = readFacts({program.json, program.json_size});
  if (!facts)
    return facts.error();
  if (facts->entries.size() != program.entry_count)
    return Error{Code::Internal, text("the program has code for %u entries and facts of %zu",
                                      program.entry_count, facts->entries.size())};
  Result<int> isa = chooseIsa(program, options.isa);
  if (!isa)
    return isa.error();
  if (options.threads < 0 || options.threads > mostThreads)
    return Error{Code::Usage, text("%d threads: expected 1 to %d", options.threads, mostThreads)};
  int threads = options.threads > 0 ? options.threads : availableCores();
  std::unique_ptr<Model> model(
      new Model(program, std::move(*facts), *isa, Pool::start(threads, options.pin)));
  if (!options.parameters)
    return model;
  Result<Parameters> parameters = Parameters::create(model->facts);
  if (!parameters)
    return parameters.error();
  model->parameters = std::move(*parameters);
  return model;
}

Status Model::takeCarried(const std::string &path) {
  if (!facts.carried)
    return success();
  Result<CarriedFile> file = CarriedFile::open(path, facts);
  if (!file)
    return file.error();
  carried.emplace(std::move(*file));
  parameters.adopt(carried->weights(), carriedLayout(facts).offsets, isWeight);
  return success();
}

Result<int> Model::entry(std::string_view name) const {
  if (int number = facts.entry(name); number >= 0)
    return number;
  std::vector<std::string> names;
  for (const Entry &entry : facts.entries)
    names.push_back(entry.name);
  return Error{Code::Name, text("no entry `%s`; this program has %s", std::string(name).c_str(),
                                listed(names, 20).c_str())};
}
