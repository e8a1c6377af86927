// weft_error().
#include "runtime/api/Failure.h"

using namespace weft::runtime;

// what a C caller asks for after the call has returned
static thread_local std::string lastMessage;

WeftStatus weft::runtime::fail(const Error &error) {
  lastMessage = error.message;
  return static_cast<WeftStatus>(error.code);
}

const char *weft_error(void) {
  return lastMessage.c_str();
}
