// The kernels that the runtime needs between entries. Each thread of the grid goes through the
// floats in steps of the grid.
#include "codegen/gpu/Services.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/Records.h"
#include "codegen/gpu/base/Team.h"

using namespace llvm;

namespace weft::gpu {

namespace {

class Service {
public:
  Service(DeviceEmission &device, StringRef name, unsigned buffers)
      : kernel{"", buffers, {.threads = cuda::usualThreads}},
        function(device.kernel(name, buffers, kernel.shape)), builder(&function->getEntryBlock()),
        team(builder, kernel.shape.threads, kernel.shape.threads) {
    kernel.name = function->getName();
    Frame frame{builder, device, function->getArg(0), function->getArg(1)};
    count = builder.CreateLoad(builder.getInt64Ty(), frame.sizes);
    for (unsigned number = 0; number < buffers; ++number)
      places.push_back(frame.buffer(number));
  }

  Value *factor(unsigned buffer) {
    return builder.CreateLoad(builder.getFloatTy(), places[buffer]);
  }
  Value *at(unsigned buffer, Value *number) {
    return builder.CreateInBoundsGEP(builder.getFloatTy(), places[buffer], number);
  }
  Value *load(unsigned buffer, Value *number) {
    return builder.CreateLoad(builder.getFloatTy(), at(buffer, number));
  }

  void each(function_ref<void(Value *number)> body) {
    Value *threads = builder.getInt64(kernel.shape.threads);
    Value *first = builder.CreateNSWAdd(builder.CreateNSWMul(team.block(), threads), team.lane());
    loop(builder, first, count, builder.CreateNSWMul(team.blocks(), threads), body);
  }

  DeviceKernel finish() {
    builder.CreateRetVoid();
    return kernel;
  }

  DeviceKernel kernel;
  Function *function;
  IRBuilder<> builder;
  Team team;
  Value *count;
  SmallVector<Value *> places;
};

DeviceKernel add(DeviceEmission &device) {
  Service service(device, "weft_add", 3);
  IRBuilder<> &b = service.builder;
  Value *factor = service.factor(2);
  service.each([&](Value *number) {
    Value *term = b.CreateFMul(service.load(1, number), factor);
    b.CreateStore(b.CreateFAdd(service.load(0, number), term), service.at(0, number));
  });
  return service.finish();
}

DeviceKernel scale(DeviceEmission &device) {
  Service service(device, "weft_scale", 2);
  IRBuilder<> &b = service.builder;
  Value *factor = service.factor(1);
  service.each([&](Value *number) {
    b.CreateStore(b.CreateFMul(service.load(0, number), factor), service.at(0, number));
  });
  return service.finish();
}

} // namespace

Constant *emitServices(DeviceEmission &device, Module &host, bool emulated) {
  static const kernel::DimTable noDims; // they take one size, of no program
  DeviceEmission ours(device.module, noDims, device.device);
  SmallVector<Constant *> records;
  for (auto service : {add, scale})
    records.push_back(recordOf(service(ours), ours.sizes(), emulated, host));
  return placed(ConstantStruct::getAnon(records), "services", host);
}

} // namespace weft::gpu
