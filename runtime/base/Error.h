// An error is a code for programs and a message for people; a Result is a value or an error.
#ifndef WEFT_RUNTIME_BASE_ERROR_H
#define WEFT_RUNTIME_BASE_ERROR_H

#include "runtime/base/Text.h"

#include <optional>
#include <utility>

namespace weft::runtime {

/// The same numbers as WeftStatus in weft.h.
enum class Code {
  Usage = 2,
  Name = 3,
  Size = 4,
  Type = 5,
  Value = 6,
  File = 7,
  Memory = 8,
  Cancelled = 9,
  Device = 10,
  Internal = 70
};

struct Error {
  Code code;
  std::string message;
};

/// The exit code of a program that ends with this error: 2 usage, 70 a fault of Weft itself, 1
/// everything else.
inline int exitCode(Code code) {
  return code == Code::Usage ? 2 : code == Code::Internal ? 70 : 1;
}

/// A value, or why there is none.
template <class T, class E = Error> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(E error) : failure(std::move(error)) {}
  explicit operator bool() const { return value.has_value(); }
  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }
  const E &error() const { return *failure; }

private:
  std::optional<T> value;
  std::optional<E> failure;
};

/// Nothing, or why it did not work.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::move(error)) {}
  explicit operator bool() const { return !failure; }
  const Error &error() const { return *failure; }

private:
  std::optional<Error> failure;
};

inline Status success() {
  return {};
}

} // namespace weft::runtime
#endif
