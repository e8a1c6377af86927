// What an entry has a device launch.
#include "ir/plan/Launches.h"

#include <map>

using namespace weft::plan;

llvm::SmallVector<Launch> weft::plan::launchesOf(EntryOp entry) {
  llvm::SmallVector<Launch> all;
  entry->walk<mlir::WalkOrder::PreOrder>([&](LaunchOp launch) {
    mlir::IntegerAttr number = launch.getTogetherAttr();
    LaunchOp before = all.empty() ? LaunchOp() : all.back().back();
    bool joins = number && before && before.getTogetherAttr() == number &&
                 before->getBlock() == launch->getBlock();
    if (joins)
      all.back().push_back(launch);
    else
      all.push_back({launch});
  });
  return all;
}

llvm::SmallVector<LaunchPart> weft::plan::partsOf(llvm::ArrayRef<LaunchOp> together) {
  std::map<llvm::StringRef, llvm::SmallVector<unsigned>> byKernel;
  for (auto [number, launch] : llvm::enumerate(together))
    byKernel[LaunchOp(launch).getKernel()].push_back(number);
  llvm::SmallVector<LaunchPart> parts;
  for (auto &[kernel, launches] : byKernel)
    parts.push_back({kernel, std::move(launches)});
  return parts;
}
