// Running entries through the C interface.
#include "runtime/api/Run.h"

using namespace weft::runtime;

WeftRun *weft_run_open(WeftModel *model, const char *entry) {
  Result<int> number = model->model->entry(entry);
  if (!number) {
    fail(number.error());
    return nullptr;
  }
  return new WeftRun{*model->model, EntryRun(*model->model, *number)};
}

void weft_run_close(WeftRun *run) {
  delete run;
}

WeftStatus weft_run_size(WeftRun *run, const char *dimension, int64_t size) {
  EntryRun trial(run->model, run->model.facts.entry(run->run.entry().name));
  if (Status status = trial.setSize(dimension, size, "weft_run_size"); !status)
    return fail(status.error());
  run->sizes[dimension] = size;
  return WEFT_OK;
}

WeftStatus weft_run_allocate(WeftRun *run) {
  run->allocated = false;
  run->run.forgetSizes();
  for (const auto &[dimension, size] : run->sizes)
    if (Status status = run->run.setSize(dimension, size, "weft_run_size"); !status)
      return fail(status.error());
  if (Status status = run->run.allocate(); !status)
    return fail(status.error());
  run->inputShapes.clear();
  run->outputShapes.clear();
  for (size_t i = 0; i < run->run.entry().inputs.size(); ++i)
    run->inputShapes.push_back(run->run.inputShape(static_cast<int>(i)));
  for (size_t i = 0; i < run->run.entry().outputs.size(); ++i)
    run->outputShapes.push_back(run->run.outputShape(static_cast<int>(i)));
  run->allocated = true;
  ++run->allocations;
  return WEFT_OK;
}

static Error notAllocated() {
  return {Code::Usage, "weft_run_allocate() comes first"};
}

/// The tensor of an argument, or none and why.
static WeftTensor find(WeftRun &run, bool isInput, const char *name) {
  const Entry &entry = run.run.entry();
  const std::vector<Argument> &arguments = isInput ? entry.inputs : entry.outputs;
  if (!run.allocated) {
    fail(notAllocated());
    return {};
  }
  if (int number = argumentNamed(arguments, name); number >= 0)
    return viewOf(isInput ? run.run.input(number) : run.run.output(number),
                  arguments[number].element,
                  (isInput ? run.inputShapes : run.outputShapes)[number]);
  std::vector<std::string> names;
  for (const Argument &argument : arguments)
    names.push_back(argument.name);
  fail({Code::Name,
        text("entry %s has no %s `%s`; it has %s", entry.name.c_str(), isInput ? "input" : "output",
             name, names.empty() ? "none" : listed(names, 20).c_str())});
  return {};
}

WeftTensor weft_run_input(WeftRun *run, const char *name) {
  return find(*run, true, name);
}

WeftTensor weft_run_output(WeftRun *run, const char *name) {
  return find(*run, false, name);
}

WeftStatus weft_run(WeftRun *run, uint64_t seed, uint64_t step) {
  if (!run->allocated)
    return fail(notAllocated());
  Status status = run->run.run(seed, step);
  if (run->run.entry().kind == EntryKind::Update)
    run->model.parameters.changed();
  return statusOf(status);
}
