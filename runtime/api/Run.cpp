// Running entries through the C interface.
#include "runtime/api/Run.h"

using namespace weft::runtime;

WeftRun *weft_run_open(WeftModel *model, const char *entry) {
  auto body = [&]() -> Result<WeftRun *> {
    Model &opened = *model->opened->model;
    Result<int> number = opened.entry(entry);
    if (!number)
      return number.error();
    return new WeftRun{model->opened, EntryRun(opened, *number)};
  };
  return callOn<WeftRun *>("weft_run_open", nullptr, model, {{"model", model}, {"entry", entry}},
                           body);
}

void weft_run_close(WeftRun *run) {
  if (run && !run->isBatch)
    delete run;
}

WeftStatus weft_run_size(WeftRun *run, const char *dimension, int64_t size) {
  auto body = [&]() -> Status {
    Model &model = *run->opened->model;
    EntryRun trial(model, model.facts.entry(run->run.entry().name));
    if (Status status = trial.setSize(dimension, size, "weft_run_size"); !status)
      return status;
    run->sizes[dimension] = size;
    return success();
  };
  return statusCallOn("weft_run_size", run, {{"run", run}, {"dimension", dimension}}, body);
}

static Status allocate(WeftRun &run) {
  run.allocated = false;
  run.run.forgetSizes();
  for (const auto &[dimension, size] : run.sizes)
    if (Status status = run.run.setSize(dimension, size, "weft_run_size"); !status)
      return status;
  if (Status status = run.run.allocate(); !status)
    return status;
  run.inputShapes.clear();
  run.outputShapes.clear();
  for (size_t i = 0; i < run.run.entry().inputs.size(); ++i)
    run.inputShapes.push_back(run.run.inputShape(static_cast<int>(i)));
  for (size_t i = 0; i < run.run.entry().outputs.size(); ++i)
    run.outputShapes.push_back(run.run.outputShape(static_cast<int>(i)));
  run.allocated = true;
  ++run.allocations;
  return success();
}

WeftStatus weft_run_allocate(WeftRun *run) {
  return statusCallOn("weft_run_allocate", run, {{"run", run}}, [&] { return allocate(*run); });
}

static Error notAllocated() {
  return {Code::Usage, "weft_run_allocate() comes first"};
}

/// The tensor of an argument, or why there is none.
static Status find(WeftRun &run, bool isInput, const char *name, WeftTensor &tensor) {
  const Entry &entry = run.run.entry();
  const std::vector<Argument> &arguments = isInput ? entry.inputs : entry.outputs;
  if (Status status = checkSize("tensor", tensor.size, firstSize<WeftTensor>); !status)
    return status;
  if (!run.allocated)
    return notAllocated();
  if (int number = argumentNamed(arguments, name); number >= 0) {
    if (argumentNamed({arguments.begin() + number + 1, arguments.end()}, name) >= 0)
      return Error{Code::Name,
                   text("entry %s has two outputs `%s`, of which one is a gradient; give "
                        "another name to the result, the parameter or the input",
                        entry.name.c_str(), printable(name).c_str())};
    giveView(isInput ? run.run.exposeInput(number) : run.run.exposeOutput(number),
             arguments[number].element, (isInput ? run.inputShapes : run.outputShapes)[number],
             tensor);
    return success();
  }
  std::vector<std::string> names;
  for (const Argument &argument : arguments)
    names.push_back(argument.name);
  return Error{Code::Name, text("entry %s has no %s `%s`; it has %s", entry.name.c_str(),
                                isInput ? "input" : "output", printable(name).c_str(),
                                names.empty() ? "none" : listed(names, 20).c_str())};
}

WeftStatus weft_run_input(WeftRun *run, const char *name, WeftTensor *tensor) {
  return statusCallOn("weft_run_input", run, {{"run", run}, {"name", name}, {"tensor", tensor}},
                      [&] { return find(*run, true, name, *tensor); });
}

WeftStatus weft_run_output(WeftRun *run, const char *name, WeftTensor *tensor) {
  return statusCallOn("weft_run_output", run, {{"run", run}, {"name", name}, {"tensor", tensor}},
                      [&] { return find(*run, false, name, *tensor); });
}

WeftStatus weft_run(WeftRun *run, uint64_t seed, uint64_t step) {
  auto body = [&]() -> Status {
    if (!run->allocated)
      return notAllocated();
    return run->run.run(seed, step);
  };
  return statusCallOn("weft_run", run, {{"run", run}}, body);
}
