// The model behind the C interface, and views of its tensors.
#ifndef WEFT_RUNTIME_API_MODEL_H
#define WEFT_RUNTIME_API_MODEL_H

#include "runtime/api/Failure.h"
#include "runtime/model/Model.h"

#include <deque>

struct WeftModel {
  std::unique_ptr<weft::runtime::Model> model;
  std::deque<std::vector<int64_t>> shapes; // of parameters, by number; views point into it
};

namespace weft::runtime {

inline WeftTensor viewOf(void *data, Element element, const std::vector<int64_t> &shape) {
  return {data, static_cast<WeftElement>(element), static_cast<int32_t>(shape.size()), shape.data(),
          countOf(shape)};
}

} // namespace weft::runtime
#endif
