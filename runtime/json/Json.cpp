// JSON by nlohmann-json.
#include "runtime/json/Json.h"

using namespace weft::runtime;

Json weft::runtime::parseJson(std::string_view text) {
  return Json::parse(text.data(), text.data() + text.size(), nullptr, /*allow_exceptions=*/false);
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
