// Which block of a gradient of attention owns which part of which results.
#include "codegen/gpu/attention/GradientGrid.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::gpu {

GradientGrid::GradientGrid(Frame frame, ArrayRef<cuda::GradientOwner> owners, int64_t rows,
                           int64_t columns)
    : blocks(frame.builder.getInt64(0)), b(frame.builder), rows(rows), columns(columns) {
  auto tiles = [&](bool some, const DimList &dims, int64_t tile) -> Value * {
    return some ? ceilDiv(b, frame.extent(dims), b.getInt64(tile)) : b.getInt64(1);
  };
  for (const cuda::GradientOwner &owner : owners) {
    if (groups.empty() || groups.back().members.back().owner->form.shared != owner.form.shared)
      groups.push_back({{}, b.getInt64(0), nullptr});
    Value *across = tiles(owner.ownsColumns, owner.others(), columns);
    Value *all = b.CreateNSWMul(tiles(owner.ownsRows, owner.own(), rows), across);
    groups.back().members.push_back({&owner, across, all});
    groups.back().each = b.CreateNSWAdd(groups.back().each, all);
  }
  for (Group &group : groups) {
    group.blocks =
        b.CreateNSWMul(frame.extent(group.members.back().owner->form.shared), group.each);
    blocks = b.CreateNSWAdd(blocks, group.blocks);
  }
}

void GradientGrid::emit(Value *block, Tile tile) const {
  emitGroups(groups, block, tile);
}

void GradientGrid::emitGroups(ArrayRef<Group> all, Value *block, Tile tile) const {
  const Group &group = all.front();
  // Of no tiles there are no blocks that would divide by them.
  auto own = [&] {
    Value *position = b.CreateUDiv(block, group.each), *number = b.CreateURem(block, group.each);
    emitMembers(group.members, {position, number}, tile);
    return Values();
  };
  if (all.size() == 1)
    return void(own());
  choose(b, b.CreateICmpSLT(block, group.blocks), own, [&] {
    emitGroups(all.drop_front(), b.CreateNSWSub(block, group.blocks), tile);
    return Values();
  });
}

void GradientGrid::emitMembers(ArrayRef<Member> all, Number at, Tile tile) const {
  const Member &member = all.front();
  auto own = [&] {
    Value *row = at.tile, *column = b.getInt64(0);
    if (member.owner->ownsColumns) {
      row = b.CreateUDiv(at.tile, member.across);
      column = b.CreateNSWMul(b.CreateURem(at.tile, member.across), b.getInt64(columns));
    }
    tile(*member.owner, {at.position, b.CreateNSWMul(row, b.getInt64(rows)), column});
    return Values();
  };
  if (all.size() == 1)
    return void(own());
  choose(b, b.CreateICmpSLT(at.tile, member.tiles), own, [&] {
    emitMembers(all.drop_front(), {at.position, b.CreateNSWSub(at.tile, member.tiles)}, tile);
    return Values();
  });
}

} // namespace weft::gpu
