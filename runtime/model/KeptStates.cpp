// Copying states, there and back.
#include "runtime/model/KeptStates.h"

using namespace weft::runtime;

KeptStates::KeptStates(Model &model, const std::vector<int> &states) : model(&model) {
  for (int number : states)
    values.emplace_back(number, CodeMemory());
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
