// Opening a program.
#include "runtime/model/Model.h"

#include "runtime/machine/Cores.h"
#include "runtime/machine/Isa.h"
#include "runtime/machine/memory/Memory.h"

using namespace weft::runtime;

static constexpr int mostThreads = 1024;

Model::Model(const WeftProgram &programs, ChosenTarget target, Facts facts_,
             std::unique_ptr<Pool> pool)
    : programs(programs), program(*target.program), facts(std::move(facts_)), isa(target.isa),
      pool(std::move(pool)), device(std::move(target.device)), reason(std::move(target.reason)) {}

Result<std::unique_ptr<Model>> Model::open(const WeftProgram &programs, ModelOptions options) {
  for (const WeftProgram *each = &programs; each; each = each->next)
    if (each->abi_version != WEFT_ABI_VERSION)
      return Error{Code::Internal,
                   text("the program was built for version %u of the runtime, this is version %u",
                        each->abi_version, WEFT_ABI_VERSION)};
  Result<ChosenTarget> target =
      chooseTarget(programs, {options.device, options.isa, options.parameters});
  if (!target)
    return target.error();
  const WeftProgram &program = *target->program;
  Result<Facts> facts = readFacts({program.json, program.json_size});
  if (!facts)
    return facts.error();
  if (facts->entries.size() != program.entry_count)
    return Error{Code::Internal, text("the program has code for %u entries and facts of %zu",
                                      program.entry_count, facts->entries.size())};
  if (options.threads < 0 || options.threads > mostThreads)
    return Error{Code::Usage, text("%d threads: expected 1 to %d", options.threads, mostThreads)};
  int threads = options.threads > 0 ? options.threads : availableCores();
  std::unique_ptr<Model> model(new Model(programs, std::move(*target), std::move(*facts),
                                         Pool::start(threads, options.pin)));
  model->ownBytes = residentBytes();
  if (!options.parameters)
    return model;
  Result<Parameters> parameters = Parameters::create(model->facts, model->memory());
  if (!parameters)
    return parameters.error();
  model->parameters = std::move(*parameters);
  return model;
}

std::string Model::place() const {
  return device ? device->title() : text("%s, %d threads", isaName(isa), pool->threads());
}

Status Model::takeCarried(const std::string &path) {
  if (!facts.carried)
    return success();
  Result<CarriedFile> file = CarriedFile::open(path, facts);
  if (!file)
    return file.error();
  carried.emplace(std::move(*file));
  parameters.adopt(carried->weights(), carried->offsets(), isWeight);
  carriedVersion = parameters.version();
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
