// Copying states, there and back.
#include "runtime/model/KeptStates.h"

#include "runtime/model/Slices.h"

using namespace weft::runtime;

KeptStates::KeptStates(Model *model) : model(model) {
  if (!model)
    return;
  const std::vector<Parameter> &parameters = model->facts.parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].kind == ParameterKind::State) {
      int number = static_cast<int>(i);
      int64_t bytes = elementCount(model->facts, parameters[i]) * bytesOf(parameters[i].element);
      values.emplace_back(number, std::string(static_cast<char *>(model->parameters.data(number)),
                                              static_cast<size_t>(bytes)));
    }
}

void KeptStates::restore() {
  for (const auto &[number, bytes] : values)
    bytes.copy(static_cast<char *>(model->parameters.data(number)), bytes.size());
  if (!values.empty())
    model->parameters.changed();
}
