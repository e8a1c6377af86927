// The parser: from text to the syntax tree, going on after errors.
#pragma once

#include "frontend/source/Diagnostic.h"
#include "frontend/syntax/Ast.h"

#include <string_view>

namespace weft {

/// Parses one file of `sources`. What could be read is returned also where there were errors; every
/// error is reported once. Never fails otherwise, whatever the bytes are.
ast::File parse(const SourceManager &sources, FileId file, Diagnostics &diagnostics);

/// Reads the program at `path`, the files it uses (found beside the file that uses them) and the
/// library. The file's name in diagnostics is `path` as given.
ast::Program loadProgram(const std::string &path, SourceManager &sources, Diagnostics &diagnostics);

/// The same for a program in memory called `name`; what it uses is found beside that name.
ast::Program loadProgram(const std::string &name, std::string text, SourceManager &sources,
                         Diagnostics &diagnostics);

} // namespace weft
