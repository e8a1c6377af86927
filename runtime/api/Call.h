// What all functions of weft.h have in common: pointers are looked at, one thread has its turn,
// nothing is thrown, and a status is left.
#ifndef WEFT_RUNTIME_API_CALL_H
#define WEFT_RUNTIME_API_CALL_H

#include "runtime/api/Failure.h"
#include "runtime/model/Model.h"

#include <cxxabi.h>
#include <initializer_list>
#include <mutex>

namespace weft::runtime {

/// An opened model. What is made from it shares it, so that it may be closed in any order.
struct Opened {
  std::unique_ptr<Model> model;
  std::vector<std::vector<int64_t>> shapes; // of parameters, by number; views point into it
  std::mutex turn;
};

/// A pointer that must not be NULL, and what weft.h calls it.
struct Needed {
  const char *name;
  const void *pointer;
};

Status checkNeeded(const char *function, std::initializer_list<Needed> needed);
Status checkProcess(const Opened &opened);

/// Does a call whose `body` gives a Status, or a Result of what the function returns; `otherwise`
/// is what it returns when it fails.
template <class T, class Body>
T call(const char *function, T otherwise, std::initializer_list<Needed> needed, Body body) {
  begin();
  try {
    if (Status status = checkNeeded(function, needed); !status) {
      fail(status.error());
      return otherwise;
    }
    auto result = body();
    if (!result)
      fail(result.error());
    else if constexpr (!std::is_same_v<decltype(result), Status>)
      return *result;
  } catch (abi::__forced_unwind &) { // pthread_exit() or pthread_cancel() unwinds: it must go on
    throw;
  } catch (...) {
    failByException();
  }
  return otherwise;
}

/// The same for a function that returns its status.
template <class Body>
WeftStatus statusCall(const char *function, std::initializer_list<Needed> needed, Body body) {
  call(function, 0, needed, body);
  return weft_status();
}

/// The same for what an object does that is of a model: in its process, and not beside other calls.
/// The object, which has the model as `opened`, is among what is needed.
template <class T, class Object, class Body>
T callOn(const char *function, T otherwise, Object *object, std::initializer_list<Needed> needed,
         Body body) {
  return call(function, otherwise, needed, [&]() -> decltype(body()) {
    Opened &opened = *object->opened;
    if (Status status = checkProcess(opened); !status)
      return status.error();
    std::lock_guard turn(opened.turn);
    return body();
  });
}

template <class Object, class Body>
WeftStatus statusCallOn(const char *function, Object *object, std::initializer_list<Needed> needed,
                        Body body) {
  callOn(function, 0, object, needed, body);
  return weft_status();
}

} // namespace weft::runtime
#endif
