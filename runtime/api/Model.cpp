// weft_open() and what concerns parameters.
#include "runtime/api/Model.h"

#include "runtime/api/OwnFile.h"
#include "runtime/parameters/Slices.h"
#include "runtime/training/LoadWeights.h"

using namespace weft::runtime;

static_assert(static_cast<int>(Element::Float) == WEFT_FLOAT &&
              static_cast<int>(Element::Int) == WEFT_INT &&
              static_cast<int>(Element::Bool) == WEFT_BOOL);

WeftModel *weft_open(const WeftOptions *options) {
  ModelOptions wanted;
  if (options)
    wanted = {options->threads, options->pin != 0, options->isa};
  Result<std::unique_ptr<Model>> model = Model::open(weft_program, wanted);
  if (!model) {
    fail(model.error());
    return nullptr;
  }
  if ((*model)->facts.carried)
    if (Status status = (*model)->takeCarried(fileMappedAt(&weft_program)); !status) {
      fail(status.error());
      return nullptr;
    }
  auto *opened = new WeftModel{std::move(*model), {}};
  for (const Parameter &parameter : opened->model->facts.parameters)
    opened->shapes.push_back(stackedShape(opened->model->facts, parameter));
  return opened;
}

void weft_close(WeftModel *model) {
  delete model;
}

const char *weft_facts(const WeftModel *model) {
  return model->model->program.json;
}

int32_t weft_threads(const WeftModel *model) {
  return model->model->pool->threads();
}

WeftStatus weft_load(WeftModel *model, const char *path) {
  Result<LoadedWeights> loaded = loadWeights(model->model->parameters, path);
  return loaded ? WEFT_OK : fail(loaded.error());
}

WeftStatus weft_initialize(WeftModel *model, uint64_t seed) {
  model->model->parameters.initialize(seed);
  return WEFT_OK;
}

WeftStatus weft_save(const WeftModel *model, const char *path) {
  return statusOf(model->model->parameters.save(path, isWeight));
}

WeftTensor weft_parameter(WeftModel *model, const char *name) {
  const Facts &facts = model->model->facts;
  int number = facts.parameter(name);
  if (number < 0) {
    fail({Code::Name, text("no parameter `%s`", name)});
    return {};
  }
  return viewOf(model->model->parameters.data(number), facts.parameters[number].element,
                model->shapes[number]);
}

void weft_parameters_changed(WeftModel *model) {
  model->model->parameters.changed();
}
