// By name, by checkpoint, or because there is no other.
#include "runtime/training/checkpoint/TrainingFor.h"

using namespace weft::runtime;

Result<const Training *> weft::runtime::trainingFor(const std::vector<Training> &trainings,
                                                    const std::string &name, const Json &state,
                                                    const char *option) {
  std::string wanted = name;
  if (auto saved = state.is_object() ? state.find("training") : state.end();
      wanted.empty() && saved != state.end() && saved->is_string())
    wanted = saved->get<std::string>();
  std::vector<std::string> names;
  for (const Training &training : trainings) {
    if (training.name == wanted)
      return &training;
    names.push_back(training.name);
  }
  if (!name.empty())
    return Error{Code::Name, text("no training `%s`; this program has %s", name.c_str(),
                                  listed(names).c_str())};
  if (trainings.size() == 1)
    return &trainings[0];
  return Error{Code::Usage, text("which training? this program has %s: add --%s NAME",
                                 listed(names).c_str(), option)};
}
