// JSON by nlohmann-json.
#include "runtime/json/Json.h"

#include <vector>

using namespace weft::runtime;

namespace {
/// Makes a document of events. Json::parse would instantiate its parser twice more, with and
/// without a callback.
class Document final : public JsonEvents {
public:
  Json whole;

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
  bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override {
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

Json weft::runtime::parseJson(std::string_view text) {
  Document document;
  if (!parseJson(text, document))
    return Json(Json::value_t::discarded);
  return std::move(document.whole);
}

bool weft::runtime::parseJson(std::string_view text, JsonEvents &events) {
  // Json::sax_parse would bring in the readers of five binary formats, 40 KB that nothing calls
  auto adapter = nlohmann::detail::input_adapter(text.data(), text.data() + text.size());
  nlohmann::detail::parser<Json, decltype(adapter)> parser(std::move(adapter), nullptr,
                                                           /*allow_exceptions=*/false);
  return parser.sax_parse(&events, /*strict=*/true);
}

std::string weft::runtime::jsonText(const Json &value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string weft::runtime::jsonQuoted(const std::string &text) {
  return jsonText(Json(text));
}
