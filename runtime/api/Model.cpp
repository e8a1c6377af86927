// weft_open() and what concerns parameters.
#include "runtime/api/Model.h"

#include "runtime/api/OwnFile.h"
#include "runtime/model/Slices.h"
#include "runtime/training/checkpoint/LoadWeights.h"

using namespace weft::runtime;

static_assert(static_cast<int>(Element::Float) == WEFT_FLOAT &&
              static_cast<int>(Element::Int) == WEFT_INT &&
              static_cast<int>(Element::Bool) == WEFT_BOOL &&
              static_cast<int>(Element::BFloat16) == WEFT_BFLOAT16 &&
              static_cast<int>(Element::GroupedInt8) == WEFT_GROUPED_INT8);
static_assert(static_cast<int>(Code::Cancelled) == WEFT_ERROR_CANCELLED &&
              static_cast<int>(Code::Device) == WEFT_ERROR_DEVICE &&
              static_cast<int>(Code::Internal) == WEFT_ERROR_INTERNAL);

static Result<WeftModel *> open(const WeftOptions *options) {
  ModelOptions wanted;
  if (options) {
    Result<WeftOptions> said = taken("options", *options);
    if (!said)
      return said.error();
    wanted = {
        .threads = said->threads, .pin = said->pin != 0, .isa = said->isa, .device = said->device};
  }
  Result<std::unique_ptr<Model>> model = Model::open(weft_program, wanted);
  if (!model)
    return model.error();
  (*model)->parameters.initialize(*(*model)->pool, 0, isOptimizer);
  if ((*model)->facts.carried)
    if (Status status = (*model)->takeCarried(fileMappedAt(&weft_program)); !status)
      return status.error();
  auto opened = std::make_shared<Opened>();
  opened->model = std::move(*model);
  const Facts &facts = opened->model->facts;
  for (const Parameter &parameter : facts.parameters)
    opened->shapes.push_back(stackedShape(facts, parameter));
  return new WeftModel{std::move(opened)};
}

WeftModel *weft_open(const WeftOptions *options) {
  return call<WeftModel *>("weft_open", nullptr, {}, [&] { return open(options); });
}

void weft_close(WeftModel *model) {
  delete model;
}

const char *weft_facts(const WeftModel *model) {
  return callOn<const char *>("weft_facts", nullptr, model, {{"model", model}}, [&] {
    return Result<const char *>(model->opened->model->program.json);
  });
}

int32_t weft_threads(const WeftModel *model) {
  return callOn<int32_t>("weft_threads", -1, model, {{"model", model}},
                         [&] { return Result<int32_t>(model->opened->model->pool->threads()); });
}

WeftStatus weft_cancel(WeftModel *model, int32_t cancelled) {
  return statusCall("weft_cancel", {{"model", model}}, [&]() -> Status { // waits for nobody
    if (Status status = checkProcess(*model->opened); !status)
      return status;
    if (cancelled != 0 && cancelled != 1)
      return Error{Code::Usage, text("weft_cancel(%d): expected 1 to stop what computes, or 0 to "
                                     "let it compute again",
                                     cancelled)};
    model->opened->model->pool->cancel(cancelled != 0);
    return success();
  });
}

WeftStatus weft_load(WeftModel *model, const char *path) {
  return statusCallOn("weft_load", model, {{"model", model}, {"path", path}}, [&]() -> Status {
    Result<LoadedWeights> loaded = loadWeights(model->opened->model->parameters, path);
    if (!loaded)
      return loaded.error();
    warn(loaded->warning);
    return success();
  });
}

WeftStatus weft_initialize(WeftModel *model, uint64_t seed) {
  return statusCallOn("weft_initialize", model, {{"model", model}}, [&] {
    Model &own = *model->opened->model;
    own.parameters.initialize(*own.pool, seed);
    return success();
  });
}

WeftStatus weft_save(const WeftModel *model, const char *path) {
  return statusCallOn("weft_save", model, {{"model", model}, {"path", path}},
                      [&] { return model->opened->model->parameters.save(path, isWeight); });
}

WeftStatus weft_parameter(WeftModel *model, const char *name, WeftTensor *tensor) {
  auto body = [&]() -> Status {
    if (Status status = checkSize("tensor", tensor->size, firstSize<WeftTensor>); !status)
      return status;
    Model &opened = *model->opened->model;
    int number = opened.facts.parameter(name);
    if (number < 0)
      return Error{Code::Name, text("no parameter `%s`", printable(name).c_str())};
    if (Status status = opened.parameters.need(number); !status)
      return status;
    void *values = opened.parameters.follow(number);
    if (opened.device && !opened.device->failure())
      return opened.device->failure();
    giveView(values, opened.facts.parameters[number].element, model->opened->shapes[number],
             *tensor);
    return success();
  };
  return statusCallOn("weft_parameter", model,
                      {{"model", model}, {"name", name}, {"tensor", tensor}}, body);
}

WeftStatus weft_parameters_changed(WeftModel *model) {
  return statusCallOn("weft_parameters_changed", model, {{"model", model}}, [&] {
    model->opened->model->parameters.changed();
    return success();
  });
}
