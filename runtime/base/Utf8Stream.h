// Bytes that arrive piece by piece, given out as valid UTF-8.
#ifndef WEFT_RUNTIME_BASE_UTF8STREAM_H
#define WEFT_RUNTIME_BASE_UTF8STREAM_H

#include "runtime/base/Utf8.h"

namespace weft::runtime {

/// Keeps back the beginning of a character until the rest comes; bytes that are no UTF-8 become
/// U+FFFD.
class Utf8Stream {
public:
  std::string push(std::string_view bytes) {
    waiting += bytes;
    return take(false);
  }
  /// What still waits, at the end.
  std::string finish() { return take(true); }

private:
  std::string take(bool all) {
    std::string out;
    std::string_view rest = waiting;
    while (!rest.empty() && (all || !isUtf8Beginning(rest))) {
      CodePoint point = nextCodePoint(rest);
      auto length = static_cast<size_t>(point.length);
      out += point.value == CodePoint::invalid ? "\xef\xbf\xbd" : rest.substr(0, length);
      rest.remove_prefix(length);
    }
    waiting = std::string(rest);
    return out;
  }
  std::string waiting;
};

} // namespace weft::runtime
#endif
