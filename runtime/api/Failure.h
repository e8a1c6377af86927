// The last error of each thread, behind weft_error().
#ifndef WEFT_RUNTIME_API_FAILURE_H
#define WEFT_RUNTIME_API_FAILURE_H

#include "runtime/error/Error.h"
#include "runtime/weft.h"

namespace weft::runtime {

/// Keeps the message for weft_error() and gives the status to return.
WeftStatus fail(const Error &error);

inline WeftStatus statusOf(const Status &status) {
  return status ? WEFT_OK : fail(status.error());
}

} // namespace weft::runtime
#endif
