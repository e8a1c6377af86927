// Annotations: which fusions there are to demand.
#include "frontend/check/body/Body.h"
#include "frontend/source/Spelling.h"
#include "ir/model/demands/Fusions.h"

#include <fmt/format.h>

namespace weft::sema {

void BodyChecker::demands(const std::vector<ast::Annotation> &annotations) {
  std::vector<std::string> known;
  std::string listed;
  for (const model::Fusion &fusion : model::fusions) {
    known.emplace_back(fusion.name);
    listed += fmt::format("{}`{}`", listed.empty() ? "" : ", ", fusion.name);
  }
  struct Asked {
    Span place;
    bool required;
  };
  std::map<std::string, Asked> asked;
  for (const ast::Annotation &annotation : annotations)
    for (const ast::Name &name : annotation.fusions) {
      if (!model::findFusion(name.text)) {
        Diagnostic &problem =
            error(Code::E0218, name.span, fmt::format("no fusion is called `{}`", name.text));
        if (auto near = nearest(name.text, known))
          problem.suggest(fmt::format("did you mean `{}`?", *near)).replace(name.span, *near);
        else
          problem.suggest("there are " + listed);
        continue;
      }
      auto [first, isNew] = asked.try_emplace(name.text, Asked{name.span, annotation.required});
      if (isNew)
        continue;
      bool differ = first->second.required != annotation.required;
      error(Code::E0219, name.span,
            differ ? fmt::format("`{}` is required and forbidden", name.text)
                   : fmt::format("`{}` is said twice", name.text))
          .label(first->second.place, "first here")
          .suggest("leave one of them out");
    }
}

} // namespace weft::sema
