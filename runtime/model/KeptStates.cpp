// Copying states, there and back.
#include "runtime/model/KeptStates.h"

using namespace weft::runtime;

KeptStates::KeptStates(Model &model) : model(&model) {
  const std::vector<Parameter> &parameters = model.facts.parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (isState(parameters[i].kind))
      values.emplace_back(static_cast<int>(i), CodeMemory());
}

Status KeptStates::keep() {
  if (values.empty())
    return success();
  if (Status status = model->parameters.place(isState); !status)
    return status;
  for (auto &[number, room] : values)
    if (Status status = model->parameters.mirror(number).keep(room); !status)
      return status;
  return success();
}

void KeptStates::restore() {
  for (auto &[number, room] : values)
    model->parameters.mirror(number).restore(room);
  if (!values.empty())
    model->parameters.changed();
}
