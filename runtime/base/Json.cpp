// JSON by nlohmann-json.
#include "runtime/base/Json.h"

#include <algorithm>
#include <vector>

using namespace weft::runtime;

namespace {
/// The bytes of a text; `taken` counts them.
class Bytes {
public:
  using char_type = char;
  Bytes(std::string_view text, size_t &taken) : text(text), taken(&taken) {}
  std::char_traits<char>::int_type get_character() {
    if (*taken == text.size())
      return std::char_traits<char>::eof();
    return std::char_traits<char>::to_int_type(text[(*taken)++]);
  }

private:
  std::string_view text;
  size_t *taken;
};

/// Makes a document of events. Json::parse would instantiate its parser twice more, with and
/// without a callback.
class Document final : public JsonEvents {
public:
  Json whole;
  bool tooDeep = false, tooLarge = false;
  size_t broken =
      0; // how many bytes were read when it was no JSON; one more than there are: its end

private:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t &) override { return add(value); }
  bool string(string_t &value) override { return add(std::move(value)); }
  bool binary(binary_t &) override { return false; } // no text says it
  bool start_object(std::size_t) override { return open(Json::value_t::object); }
  bool start_array(std::size_t) override { return open(Json::value_t::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &why) override {
    broken = position;
    tooLarge = why.id == 406;
    return false;
  }
  bool key(string_t &name) override {
    member = &(*around.back())[name];
    return true;
  }

  /// The place of the value that comes now: nothing moves it before it is whole.
  Json &place() {
    if (around.empty())
      return whole;
    return around.back()->is_object() ? *member : around.back()->emplace_back();
  }
  bool add(Json value) {
    place() = std::move(value);
    return true;
  }
  bool open(Json::value_t kind) {
    tooDeep = around.size() == mostNested;
    if (tooDeep)
      return false;
    Json &value = place();
    value = kind;
    around.push_back(&value);
    return true;
  }
  bool close() {
    around.pop_back();
    return true;
  }

  std::vector<Json *> around;
  Json *member = nullptr;
};
} // namespace

static bool parse(std::string_view text, JsonEvents &events, size_t &taken) {
  // Json::sax_parse would bring in the readers of five binary formats, 40 KB that nothing calls
  nlohmann::detail::parser<Json, Bytes> parser(Bytes(text, taken), nullptr,
                                               /*allow_exceptions=*/false);
  return parser.sax_parse(&events, /*strict=*/true);
}

/// Where the last of so many bytes is.
static std::string placeOf(std::string_view json, size_t count) {
  std::string_view before = json.substr(0, count - 1);
  size_t begin = before.rfind('\n') + 1; // 0 where there is none
  return text("line %zu, column %zu",
              static_cast<size_t>(1 + std::count(before.begin(), before.end(), '\n')),
              before.size() - begin + 1);
}

Result<Json> weft::runtime::readJson(std::string_view json) {
  Document document;
  size_t taken = 0;
  if (parse(json, document, taken))
    return std::move(document.whole);
  if (document.tooDeep)
    return Error{Code::Value, text("it is nested more than %zu deep at %s", mostNested,
                                   placeOf(json, taken).c_str())};
  if (document.broken > json.size())
    return Error{Code::Value, "it is not JSON: it ends too early"};
  return Error{Code::Value, text(document.tooLarge ? "it has a number beyond all floats at %s"
                                                   : "it is not JSON at %s",
                                 placeOf(json, document.broken).c_str())};
}

Json weft::runtime::parseJson(std::string_view text) {
  Result<Json> document = readJson(text);
  return document ? std::move(*document) : Json(Json::value_t::discarded);
}

bool weft::runtime::parseJson(std::string_view text, JsonEvents &events) {
  size_t taken = 0;
  return parse(text, events, taken);
}

Json weft::runtime::jsonObject(std::initializer_list<std::pair<const char *, Json>> members) {
  Json object = Json::object();
  for (const auto &[name, value] : members)
    object[name] = value;
  return object;
}

std::string weft::runtime::jsonText(const Json &value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string weft::runtime::jsonQuoted(const std::string &text) {
  return jsonText(Json(text));
}
