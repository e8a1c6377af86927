// What goes on by itself: copies, and matrix products that read shared memory after they were
// asked for.
#ifndef WEFT_RUNTIME_EMULATOR_OPERATIONS_H
#define WEFT_RUNTIME_EMULATOR_OPERATIONS_H

#include <cstdint>
#include <vector>

namespace weft::emulator {

/// Who asked for it, and where.
struct Operation {
  const char *what = nullptr; ///< null: free
  uint16_t site = 0;
  uint16_t thread = 0; ///< of the cluster
};

/// Those under way, by a number that is not 0.
class Operations {
public:
  uint16_t begin(const char *what, uint16_t site, uint16_t thread) {
    Operation one{what, site, thread};
    if (free.empty()) {
      all.push_back(one);
      return uint16_t(all.size());
    }
    uint16_t number = free.back();
    free.pop_back();
    all[number - 1] = one;
    return number;
  }
  void end(uint16_t number) {
    all[number - 1].what = nullptr;
    free.push_back(number);
  }
  const Operation &operator[](uint16_t number) const { return all[number - 1]; }
  /// One that is under way, or null.
  const Operation *any() const {
    for (const Operation &each : all)
      if (each.what)
        return &each;
    return nullptr;
  }
  void clear() { all.clear(), free.clear(); }

private:
  std::vector<Operation> all;
  std::vector<uint16_t> free;
};

} // namespace weft::emulator
#endif
