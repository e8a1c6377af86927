// What a training says of itself, beside its steps.
#include "runtime/model/Slices.h"
#include "runtime/training/TrainingSession.h"

#include <cerrno>

using namespace weft::runtime;

/// "28064 parameters", and how many of them the training leaves as they are.
static std::string parametersText(const Facts &facts, const Training &training) {
  const std::vector<Argument> &updated = facts.entries[training.update].inputs;
  int64_t all = 0, frozen = 0;
  for (const Parameter &parameter : facts.parameters)
    if (parameter.kind == ParameterKind::Parameter) {
      int64_t count = elementCount(facts, parameter);
      all += count;
      frozen += argumentNamed(updated, parameter.name) < 0 ? count : 0;
    }
  return text("%lld parameters", wide(all)) +
         (frozen > 0 ? text(" (%lld stay as they are)", wide(frozen)) : std::string());
}

std::string TrainingSession::firstLine() const {
  std::string rows = data->sequence() > 0
                         ? text("%lld x %lld", wide(settings.batch), wide(data->sequence()))
                         : text("%lld", wide(settings.batch));
  return text("%s; %s; batch %s; %s", parametersText(model.facts, *training).c_str(),
              data->description().c_str(), rows.c_str(), model.place().c_str());
}

/// A path as it can be typed into a shell.
static std::string shellWord(const std::string &path) {
  const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:@%";
  if (path.find_first_not_of(plain) == std::string::npos)
    return path;
  std::string quoted = "'";
  for (char c : path)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string TrainingSession::resumption() const {
  return text("%s train --resume --out %s", shellWord(program_invocation_name).c_str(),
              shellWord(settings.out).c_str());
}

/// What stands of a training that did not come to its end.
std::string TrainingSession::whatIsLeft(Code code) const {
  Result<Checkpoint> last = findCheckpoint(settings.out);
  std::string left = last ? text("; the checkpoint of step %lld is whole", wide(last->step)) : "";
  if (code != Code::Device)
    return left;
  if (!last)
    return "; there is no checkpoint yet, begin again with a smaller --checkpoint-every";
  return left + "; go on with: " + resumption() +
         (forProcessors(model.programs) ? ", and --device cpu if the device stays away" : "");
}
