// Structures of weft.h, which say their own size: those of later headers are larger.
#ifndef WEFT_RUNTIME_API_SIZED_H
#define WEFT_RUNTIME_API_SIZED_H

#include "runtime/base/Error.h"
#include "runtime/weft.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace weft::runtime {

/// What a structure had in version 2 of the interface. Whoever adds a field writes the number down.
template <class T> inline constexpr size_t firstSize = sizeof(T);
template <> inline constexpr size_t firstSize<WeftOptions> = offsetof(WeftOptions, device);

Status checkSize(const char *name, size_t size, size_t least);
/// Whether all bytes are zero that a caller's structure has behind those that this version knows.
Status checkTail(const char *name, const void *given, size_t known, size_t size);

/// The caller's structure as far as it goes, and zero behind.
template <class T> Result<T> taken(const char *name, const T &given) {
  if (Status status = checkSize(name, given.size, firstSize<T>); !status)
    return status.error();
  if (Status status = checkTail(name, &given, sizeof(T), given.size); !status)
    return status.error();
  T all{};
  memcpy(&all, &given, std::min(given.size, sizeof(T)));
  return all;
}

/// Fills the caller's structure as far as it goes; what it has behind that becomes zero. It was
/// looked at by checkSize().
template <class T> void give(T value, T &into) {
  value.size = into.size;
  memset(&into, 0, value.size);
  memcpy(&into, &value, std::min(value.size, sizeof(T)));
}

} // namespace weft::runtime
#endif
