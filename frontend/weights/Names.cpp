// Renames pieces of paths.
#include "frontend/weights/Names.h"

#include <algorithm>

namespace weft {
namespace {

/// A name of a path; `loop` if the number of a pass follows it.
struct Segment {
  std::string text;
  bool loop = false;
};

class Renamer {
public:
  Renamer(const ast::Weights &clause, const std::vector<std::string> &path,
          const std::vector<std::string> &loops, const ast::RenameRule *copy)
      : copy(copy), separator(separatorOf(clause)) {
    for (const ast::WeightRule &each : clause.rules)
      if (auto *rule = std::get_if<ast::RenameRule>(&each); rule && !rule->isCopy)
        rules.push_back(rule);
    size_t loop = 0;
    for (const std::string &name : path) {
      segments.push_back({name, loop < loops.size() && loops[loop] == name});
      loop += segments.back().loop;
    }
  }

  std::vector<ForeignName> names() {
    go(0, {});
    if (copy)
      std::erase_if(found, [&](const ForeignName &name) {
        return std::none_of(name.uses.begin(), name.uses.end(),
                            [&](const ForeignName::Use &use) { return use.rule == copy; });
      });
    return std::move(found);
  }

private:
  /// Names are joined by dots, or, where the clause has them, by slashes (TensorFlow's).
  static const char *separatorOf(const ast::Weights &clause) {
    for (const ast::WeightRule &each : clause.rules)
      if (auto *rule = std::get_if<ast::RenameRule>(&each))
        if (rule->foreign.find('/') != std::string::npos)
          return "/";
    return ".";
  }

  bool matches(const ast::Path &path, size_t at) const {
    return path.names.size() <= segments.size() - at &&
           std::equal(path.names.begin(), path.names.end(), segments.begin() + at,
                      [](const ast::Name &a, const Segment &b) { return a.text == b.text; });
  }

  static size_t lengthOf(const ForeignName::Use &use) { return use.part->path.names.size(); }

  /// What names the piece at `at`, of the longest path. A copy's own name stands beside those that
  /// the clause gives.
  std::vector<ForeignName::Use> usesAt(size_t at) const {
    std::vector<ForeignName::Use> uses;
    if (copy)
      uses = usesAt(at, {copy});
    return uses.empty() ? usesAt(at, rules) : uses;
  }

  std::vector<ForeignName::Use> usesAt(size_t at,
                                       const std::vector<const ast::RenameRule *> &among) const {
    std::vector<ForeignName::Use> uses;
    size_t longest = 0;
    for (const ast::RenameRule *rule : among)
      for (const ast::OwnPart &part : rule->parts) {
        size_t length = part.path.names.size();
        if (length < longest || !matches(part.path, at))
          continue;
        if (length > longest)
          uses.clear();
        longest = length;
        uses.push_back({rule, &part, at + length == segments.size()});
      }
    return uses;
  }

  void go(size_t at, ForeignName name) {
    if (at == segments.size()) {
      found.push_back(std::move(name));
      return;
    }
    std::vector<ForeignName::Use> uses = usesAt(at);
    if (uses.empty()) {
      const Segment &segment = segments[at];
      append(name,
             segment.loop ? segment.text + separator + "{" + segment.text + "}" : segment.text);
      go(at + 1, std::move(name));
    }
    for (const ForeignName::Use &use : uses)
      go(at + lengthOf(use), replaced(name, use, at));
  }

  ForeignName replaced(ForeignName name, const ForeignName::Use &use, size_t at) {
    size_t length = lengthOf(use);
    std::string text = use.rule->foreign;
    for (size_t i = at; i < at + length; ++i) {
      std::string number = "{" + segments[i].text + "}";
      if (!segments[i].loop || text.find(number) != std::string::npos)
        continue;
      if (i + 1 == at + length)
        text += separator + number;
      else
        name.unnumbered.push_back(segments[i].text);
    }
    for (size_t open = use.rule->foreign.find('{'); open != std::string::npos;
         open = use.rule->foreign.find('{', open + 1))
      name.written.insert(
          use.rule->foreign.substr(open + 1, use.rule->foreign.find('}', open) - open - 1));
    append(name, text);
    name.uses.push_back(use);
    return name;
  }

  void append(ForeignName &name, const std::string &piece) const {
    if (!piece.empty())
      name.text += (name.text.empty() ? "" : separator) + piece;
  }

  const ast::RenameRule *copy;
  std::vector<const ast::RenameRule *> rules; ///< that are no copies
  const char *separator;
  std::vector<Segment> segments;
  std::vector<ForeignName> found;
};

} // namespace

std::vector<ForeignName> foreignNames(const ast::Weights &clause,
                                      const std::vector<std::string> &path,
                                      const std::vector<std::string> &loops,
                                      const ast::RenameRule *copy) {
  return Renamer(clause, path, loops, copy).names();
}

std::vector<std::string> splitPath(std::string_view path) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= path.size();) {
    size_t dot = std::min(path.find('.', at), path.size());
    parts.emplace_back(path.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

std::vector<std::string> texts(const ast::Path &path) {
  std::vector<std::string> names;
  for (const ast::Name &name : path.names)
    names.push_back(name.text);
  return names;
}

} // namespace weft
