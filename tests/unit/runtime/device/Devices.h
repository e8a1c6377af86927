// Tests that run once on the emulated device, and once on CUDA's as the fake driver has it.
#pragma once
#include "runtime/model/Model.h"

#include <cstdlib>
#include <gtest/gtest.h>

extern "C" {
uint32_t weft_emulated_thread();
uint32_t weft_emulated_block(uint32_t axis);
void weft_emulated_touch(const void *address, uint32_t bytes, bool writes, uint16_t site);
}

/// `device` is that of the parameter, for the hand-written model.
class OnDevices : public testing::TestWithParam<const char *> {
protected:
  OnDevices() {
    auto target = weft::runtime::chooseTarget(weft_program, {GetParam()});
    if (target)
      device = std::move(target->device);
    else
      ADD_FAILURE() << target.error().message;
  }
  std::unique_ptr<weft::runtime::Device> device;
};
