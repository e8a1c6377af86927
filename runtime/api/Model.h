// The model behind the C interface, and views of its tensors.
#ifndef WEFT_RUNTIME_API_MODEL_H
#define WEFT_RUNTIME_API_MODEL_H

#include "runtime/api/Call.h"
#include "runtime/api/Sized.h"

struct WeftModel {
  std::shared_ptr<weft::runtime::Opened> opened;
};

namespace weft::runtime {

/// Fills in the caller's view of a tensor.
inline void giveView(void *data, Element element, const std::vector<int64_t> &shape,
                     WeftTensor &tensor) {
  give(WeftTensor{0, data, shape.data(), countOf(shape), static_cast<int32_t>(shape.size()),
                  static_cast<WeftElement>(element)},
       tensor);
}

} // namespace weft::runtime
#endif
