// JSON in and out. One type and one place that instantiates its parser, so that programs stay
// small.
#ifndef WEFT_RUNTIME_BASE_JSON_H
#define WEFT_RUNTIME_BASE_JSON_H

#include "runtime/base/Error.h"

#include <stdexcept>

/// Misuse of a document is an internal error, without the library's own messages: those would be a
/// twentieth of a program.
#define JSON_THROW_USER(exception) throw std::logic_error("a JSON document was misused")
#define JSON_TRY_USER if (true)
#define JSON_CATCH_USER(exception) if (false)
#define JSON_INTERNAL_CATCH_USER(exception) if (false)
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace weft::runtime {

/// std::allocator under another name, which makes Json a type apart from nlohmann::json.
template <class T> struct JsonMemory : std::allocator<T> {
  JsonMemory() = default;
  template <class U> JsonMemory(const JsonMemory<U> &) {}
};

using Json = nlohmann::basic_json<std::map, std::vector, std::string, bool, int64_t, uint64_t,
                                  double, JsonMemory>;

} // namespace weft::runtime

/// What the destructor of a document moves its parts to, so that it needs no stack for each level
/// of them; but it takes memory, and a destructor that finds none ends the process. This one lets
/// go of a part at once. Nothing else is a std::vector<Json> by this name: arrays have JsonMemory.
template <> class std::vector<weft::runtime::Json> {
public:
  using value_type = weft::runtime::Json;
  void reserve(size_t) {}
  void push_back(value_type &&part) { value_type destroyed(std::move(part)); }
  bool empty() const { return true; }
  value_type &back() { __builtin_trap(); } // there is none
  void pop_back() {}
};

namespace weft::runtime {

/// An object. What the library makes of braces, and a null document that `[]` turns into an object,
/// are broken where memory runs out meanwhile: decision 51.
Json jsonObject(std::initializer_list<std::pair<const char *, Json>> members = {});

using JsonEvents = nlohmann::json_sax<Json>;

/// How many lists and objects may lie in each other. Whoever copies, prints or compares a document
/// calls itself for each, and so does its destructor: a file must not say how deep that goes.
constexpr size_t mostNested = 200;

/// The document. Errors (Value) say where `text` is no JSON, or nested too deeply.
Result<Json> readJson(std::string_view text);

/// The same, or a discarded document (`is_discarded()`).
Json parseJson(std::string_view text);

/// Calls `events` for what `text` holds, in order, however deep; false when a handler stopped it or
/// it is not JSON.
bool parseJson(std::string_view text, JsonEvents &events);

/// `indent` < 0: on one line. Keys are sorted, bytes that are no UTF-8 become U+FFFD: the same text
/// for the same value.
std::string jsonText(const Json &value, int indent = -1);

/// A string in quotes.
std::string jsonQuoted(const std::string &text);

} // namespace weft::runtime
#endif
