// The registry of error codes: one page docs/errors/E….md for each, of whose first lines CMake
// makes Codes.def.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace weft {

/// Every error the front end reports. E00xx files and characters, E01xx syntax, E02xx names,
/// E03xx shapes, E04xx rules about where something may stand, E05xx derived entries, configs and
/// weights, E06xx what only a build finds.
enum class Code {
#define WEFT_CODE(code, title) code,
#include "frontend/source/Codes.def"
#undef WEFT_CODE
};

/// What the registry knows about a code.
struct CodeInfo {
  Code code;
  std::string_view name;  ///< "E0300"
  std::string_view title; ///< a few words
  std::string_view page;  ///< docs/errors/E0300.md: what it means, a wrong and a right program
};

const CodeInfo &info(Code code);
/// All codes, rising.
std::span<const CodeInfo> allCodes();
/// The code called `name` ("E0300", also "e0300" and "300").
std::optional<Code> findCode(std::string_view name);

} // namespace weft
