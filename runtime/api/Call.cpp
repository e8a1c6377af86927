// The checks of every call.
#include "runtime/api/Call.h"

using namespace weft::runtime;

Status weft::runtime::checkNeeded(const char *function, std::initializer_list<Needed> needed) {
  for (const Needed &each : needed)
    if (!each.pointer)
      return Error{Code::Usage, text("%s(): `%s` is NULL", function, each.name)};
  return success();
}

Status weft::runtime::checkProcess(const Opened &opened) {
  if (opened.model->pool->isOfThisProcess())
    return success();
  return Error{Code::Usage, "this model was opened by another process, whose threads a forked "
                            "child does not have: close it, and open one here"};
}
