// The text of a module as people read it.
#include "tools/weft/show/Listing.h"

#include "ir/kernel/Kernel.h"
#include "ir/model/SourceLines.h"
#include "tools/weft/base/Compilation.h"

#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace weft {
namespace {
struct Origin {
  StringAttr name;
  FileLineColLoc place;
};

/// The innermost name, and the user's own line.
Origin originOf(Location at) {
  Origin origin;
  at->walk([&](Location each) {
    if (auto name = dyn_cast<NameLoc>(each); name && !origin.name)
      origin.name = name.getName();
    return WalkResult::advance();
  });
  origin.place = model::sourceOf(at);
  return origin;
}

/// One name and one place: what the printer can show on a line.
Location simple(Location at) {
  Origin origin = originOf(at);
  Location place = origin.place ? Location(origin.place) : UnknownLoc::get(at.getContext());
  return origin.name ? Location(NameLoc::get(origin.name, place)) : place;
}

/// The end of the parenthesis that opens at `open`, minding strings.
size_t closing(llvm::StringRef text, size_t open) {
  unsigned depth = 0;
  bool quoted = false;
  for (size_t i = open; i < text.size(); ++i) {
    if (quoted) {
      i += text[i] == '\\';
      quoted = text[i] != '"';
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')' && --depth == 0) {
      return i;
    }
  }
  return llvm::StringRef::npos;
}

/// Breaks a long line behind commas, and before results and attributes, where these stand in no
/// string and in no type; what follows is indented.
std::string wrapped(llvm::StringRef line) {
  constexpr size_t width = 140;
  std::string indent = "\n" + std::string(line.size() - line.ltrim().size() + 6, ' '), result;
  while (line.size() > width) {
    size_t at = llvm::StringRef::npos;
    unsigned types = 0;
    bool quoted = false;
    for (size_t i = 0; i + 1 < line.size() && (i < width || at == llvm::StringRef::npos); ++i) {
      char c = line[i];
      if (quoted) {
        i += c == '\\';
        quoted = c != '"';
      } else if (c == '"') {
        quoted = true;
      } else if (c == '<') {
        ++types;
      } else if (c == '>' && types && line[i - 1] != '-') {
        --types;
      } else if (c == ' ' && types == 0) {
        llvm::StringRef rest = line.drop_front(i + 1);
        if (i &&
            (line[i - 1] == ',' || rest.starts_with("-> (") || rest.starts_with("attributes {")))
          at = i;
      }
    }
    if (at == llvm::StringRef::npos)
      break;
    result += line.take_front(at).str() + indent;
    line = line.drop_front(at + 1);
  }
  return result + line.str();
}

struct Line {
  std::string text, comment;
};

/// ` loc("q"("gpt.weft":8:3))` is taken off the line; what stood last becomes ` // gpt.weft:8`.
Line withComment(llvm::StringRef line) {
  Line result;
  while (true) {
    size_t at = line.find(" loc(");
    if (at == llvm::StringRef::npos)
      break;
    size_t end = closing(line, at + 4);
    if (end == llvm::StringRef::npos)
      break;
    llvm::StringRef inside = line.slice(at + 5, end).rtrim(')');
    result.text += line.take_front(at);
    line = line.drop_front(end + 1);
    result.comment.clear();
    auto [rest, column] = inside.rsplit(':');
    auto [file, number] = rest.rsplit(':');
    if (column.empty() || number.empty() || !line.trim().empty())
      continue;
    llvm::StringRef path = file.contains('(') ? file.rsplit('(').second : file;
    result.comment = ("  // " + path.trim('"') + ":" + number).str();
  }
  result.text += line;
  return result;
}

/// The place of an op with a body is printed behind its end; it is read where the op begins.
void moveUp(std::vector<Line> &lines) {
  std::vector<size_t> open;
  for (size_t i = 0; i < lines.size(); ++i) {
    llvm::StringRef text = llvm::StringRef(lines[i].text).trim();
    if (text.starts_with("}") && text.ends_with("{"))
      continue; // from one region of an op to the next
    if (text.starts_with("}") && !open.empty()) {
      std::swap(lines[open.back()].comment, lines[i].comment);
      open.pop_back();
    }
    if (text.ends_with("{"))
      open.push_back(i);
  }
}

/// Each schedule once, before the module, as MLIR does where locations are not printed in place.
std::string withAliases(ModuleOp module, llvm::StringRef printed) {
  std::string definitions, rest = printed.str();
  llvm::StringMap<unsigned> count;
  llvm::SetVector<kernel::ScheduleAttr> schedules;
  module.walk([&](kernel::FusedOp op) {
    if (DictionaryAttr given = op.getScheduleAttr())
      for (NamedAttribute each : given)
        schedules.insert(cast<kernel::ScheduleAttr>(each.getValue()));
  });
  for (kernel::ScheduleAttr schedule : schedules) {
    std::string text;
    llvm::raw_string_ostream(text) << schedule;
    llvm::StringRef word = llvm::StringRef(text).take_until([](char c) { return c == '<'; });
    word = word.split('.').second;
    unsigned number = count[word]++;
    std::string alias = "#" + word.str() + (number ? std::to_string(number) : "");
    definitions += alias + " = " + text + "\n";
    for (size_t at = 0; (at = rest.find(text, at)) != std::string::npos; at += alias.size())
      rest.replace(at, text.size(), alias);
  }
  return definitions + rest;
}
} // namespace

std::string listing(ModuleOp module, bool bare) {
  OwningOpRef<ModuleOp> copy(module.clone());
  copy->walk([](Operation *op) {
    op->setLoc(simple(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(simple(argument.getLoc()));
  });
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  copy->print(
      stream,
      OpPrintingFlags().enableDebugInfo(true, false).useLocalScope().printNameLocAsPrefix());
  printed = withAliases(*copy, printed);
  std::string result;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(printed).split(lines, '\n');
  while (!lines.empty() && lines.back().empty())
    lines.pop_back();
  std::vector<Line> split;
  for (llvm::StringRef line : lines)
    split.push_back(withComment(line));
  moveUp(split);
  for (const Line &line : split)
    result += bare ? line.text + "\n" : wrapped(line.text) + line.comment + "\n";
  return result;
}

std::string listingWithLocations(ModuleOp module) {
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  module->print(stream, OpPrintingFlags().enableDebugInfo(true, false).printNameLocAsPrefix());
  return printed;
}

} // namespace weft
