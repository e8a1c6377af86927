// Values of entries that were asked for by their paths.
#pragma once

#include "frontend/lower/body/Builder.h"

namespace weft::lower {

class Probes {
public:
  /// Those of the session's options.
  explicit Probes(Session &session);
  /// Builds the entry again as `NAME.probed`, with the values that are probed as further results;
  /// not if it has none of them. False after errors.
  bool add(const sema::FunctionInfo &entry);
  /// Reports probes that no entry has.
  void reportUnanswered();

private:
  Session &session;
  std::vector<Names> paths;
  std::set<Names> answered;                     // those that some entry has
  std::map<Names, std::set<std::string>> known; // what could be asked for instead
};

} // namespace weft::lower
