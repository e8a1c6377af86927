// The last status of each thread, behind weft_status(), weft_error() and weft_warning().
#ifndef WEFT_RUNTIME_API_FAILURE_H
#define WEFT_RUNTIME_API_FAILURE_H

#include "runtime/base/Error.h"
#include "runtime/weft.h"

namespace weft::runtime {

/// A call begins: all is well so far.
void begin() noexcept;
/// Keeps status and message of a call that failed, and gives the status.
WeftStatus fail(const Error &error) noexcept;
/// The same of the exception that is being caught: memory that ran out, or an internal error.
WeftStatus failByException() noexcept;
/// Keeps what a call says though it does not fail.
void warn(const std::string &warning) noexcept;

} // namespace weft::runtime
#endif
