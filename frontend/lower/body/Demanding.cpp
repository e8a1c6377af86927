// What annotations demand of what is built behind them.
#include "frontend/lower/body/Demanding.h"
#include "ir/model/demands/Demands.h"

namespace weft::lower {

Builder::Demanding::Demanding(Builder &builder, const std::vector<ast::Annotation> &annotations)
    : builder(builder), before(builder.demanded.size()) {
  for (const ast::Annotation &annotation : annotations)
    for (const ast::Name &name : annotation.fusions) {
      model::Demand demand{annotation.required, model::findFusion(name.text), builder.building,
                           builder.at(annotation.span)};
      int64_t number = model::addDemand(builder.session.module, demand);
      builder.demanded.push_back({number, builder.callers.size()});
    }
}

} // namespace weft::lower
