// Joining what is known.
#include "runtime/emulator/Clock.h"

#include <algorithm>

namespace weft::emulator {

void join(std::shared_ptr<const Times> &into, const std::shared_ptr<const Times> &other) {
  if (!other || into == other)
    return;
  if (!into) {
    into = other;
    return;
  }
  auto both = std::make_shared<Times>(*into);
  if (both->size() < other->size())
    both->resize(other->size());
  for (size_t i = 0; i < other->size(); ++i)
    (*both)[i] = std::max((*both)[i], (*other)[i]);
  into = std::move(both);
}

void note(std::shared_ptr<const Times> &into, unsigned index, uint32_t time) {
  if (timeOf(into, index) >= time)
    return;
  auto more = into ? std::make_shared<Times>(*into) : std::make_shared<Times>();
  if (more->size() <= index)
    more->resize(index + 1);
  (*more)[index] = time;
  into = std::move(more);
}

void Knowledge::join(const Knowledge &other) {
  emulator::join(seen, other.seen);
  emulator::join(crossed, other.crossed);
  emulator::join(landed, other.landed);
}

} // namespace weft::emulator
