// JSON in and out. One type and one place that instantiates its parser, so that programs stay
// small.
#ifndef WEFT_RUNTIME_JSON_JSON_H
#define WEFT_RUNTIME_JSON_JSON_H

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace weft::runtime {

using Json = nlohmann::json;
using JsonEvents = nlohmann::json_sax<Json>;

/// The document, or a discarded one (`is_discarded()`) where `text` is not JSON.
Json parseJson(std::string_view text);

/// Calls `events` for what `text` holds, in order; false when a handler stopped it or it is not
/// JSON.
bool parseJson(std::string_view text, JsonEvents &events);

/// `indent` < 0: on one line. Keys are sorted, bytes that are no UTF-8 become U+FFFD: the same text
/// for the same value.
std::string jsonText(const Json &value, int indent = -1);

/// A string in quotes.
std::string jsonQuoted(const std::string &text);

} // namespace weft::runtime
#endif
