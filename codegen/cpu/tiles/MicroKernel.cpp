// The cores (micro-kernels) of every product of matrices: a register tile that runs along k.
#include "codegen/cpu/tiles/CoreFrame.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// Writes a core whose right side has an element for each position.
class CoreBuilder : CoreFrame {
public:
  using CoreFrame::CoreFrame;

  void build() {
    const int64_t chains = chainsUpTo(core.set.unroll);
    Values initial(chains * sums(), Constant::getNullValue(emission.vector()));
    Value *whole = builder.CreateAnd(k, builder.getInt64(-chains));
    Values main = carryingLoop(builder, builder.getInt64(0), whole, builder.getInt64(chains),
                               initial, [&](Value *index, ArrayRef<Value *> carried) {
                                 Values next(carried);
                                 for (int64_t step = 0; step < chains; ++step)
                                   advance(next, step * sums(), index, step);
                                 return next;
                               });
    addChains(main);
    finish(carryingLoop(builder, whole, k, builder.getInt64(1), main,
                        [&](Value *index, ArrayRef<Value *> carried) {
                          Values next(carried);
                          advance(next, 0, index, 0);
                          return next;
                        }));
  }

private:
  /// sums[first + …] += left[…][index + step] * right[index + step][…]
  void advance(Values &sums, int64_t first, Value *index, int64_t step) {
    const Stored element = rightElement();
    Value *here = builder.CreateNSWAdd(index, builder.getInt64(step));
    Values b;
    int64_t perPanel = panelWidth / emission.lanes;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value *start = right;
      Value *within = builder.CreateNSWMul(here, builder.getInt64(panelWidth));
      int64_t further = vector * emission.lanes;
      if (core.right == Core::Right::matrix) {
        within = builder.CreateNSWMul(here, rightStride);
      } else if (vector >= perPanel) {
        Value *panel = builder.getInt64(vector / perPanel);
        start = builder.CreateInBoundsGEP(element.memory, right,
                                          builder.CreateNSWMul(rightStride, panel));
        further = vector % perPanel * emission.lanes;
      }
      Value *line = builder.CreateInBoundsGEP(element.memory, start, within);
      b.push_back(element.load(builder, at(element.memory, line, further), emission.lanes));
    }
    addProducts(MutableArrayRef(sums).slice(first, this->sums()), here, b);
  }

  Stored rightElement() {
    Stored element(core.narrow ? builder.getInt16Ty() : builder.getFloatTy());
    element.narrow = core.narrow;
    return element;
  }
};

} // namespace

static FunctionType *coreType(LLVMContext &context) {
  Type *pointer = PointerType::get(context, 0), *whole = Type::getInt64Ty(context);
  return FunctionType::get(
      Type::getVoidTy(context),
      {whole, pointer, pointer, pointer, whole, pointer, whole, Type::getInt1Ty(context), whole},
      false);
}

static const char *elementName(Core core) {
  if (core.scaled)
    return ".scaled";
  if (core.grouped) {
    const bool isInt8 = *core.grouped == model::WeightFormat::int8;
    if (core.dots != PairProducts::none)
      return isInt8 ? ".i8.dots" : ".i4.dots";
    return isInt8 ? ".i8" : ".i4";
  }
  if (core.paired)
    return core.dots == PairProducts::tiles   ? ".amx"
           : core.dots == PairProducts::words ? ".dots"
                                              : ".pairs";
  return core.narrow ? ".bf16" : "";
}

static std::string coreName(Core core, Tile tile) {
  constexpr const char *lefts[] = {"rows", "panel", "matrix", "transposed"};
  return formatv("core.{0}x{1}.{2}.{3}{4}.u{5}.a{6}", tile.rows, tile.width(),
                 lefts[int(core.left)], core.right == Core::Right::panels ? "panels" : "matrix",
                 elementName(core), core.set.unroll, core.set.accumulators);
}

static Function *coreFunction(Emission &emission, Core core, Tile tile) {
  std::string name = coreName(core, tile);
  if (Function *known = emission.module.getFunction(name))
    return known;
  Function *function = emission.function(name, coreType(emission.module.getContext()));
  function->addFnAttr(Attribute::NoInline);
  for (unsigned pointer : {1, 2, 3, 5})
    function->addParamAttr(pointer, Attribute::NoAlias);
  if (core.scaled && core.dots == PairProducts::tiles)
    buildAmxScaledCore(emission, core, tile, function);
  else if (core.scaled)
    buildScaledCore(emission, core, tile, function);
  else if (core.grouped)
    buildGroupedCore(emission, core, tile, function);
  else if (core.dots == PairProducts::tiles)
    buildAmxCore(emission, core, tile, function);
  else if (core.paired)
    buildPairedCore(emission, core, tile, function);
  else
    CoreBuilder(emission, core, tile, function).build();
  return function;
}

/// Pointers to the cores [rows][panels] of one kind; null where there are too many panels for as
/// many rows.
static GlobalVariable *coreTable(Emission &emission, Core core) {
  Tile most = core.set.most;
  const int64_t widest = core.set.panelsFor(1);
  std::string name = formatv("cores.{0}.few{1}x{2}", coreName(core, most), core.set.few.rows,
                             core.set.few.width());
  if (GlobalVariable *known = emission.module.getNamedGlobal(name))
    return known;
  auto *pointer = PointerType::get(emission.module.getContext(), 0);
  SmallVector<Constant *> functions;
  for (int64_t rows = 1; rows <= most.rows; ++rows)
    for (int64_t panels = 1; panels <= widest; ++panels)
      functions.push_back(panels <= core.set.panelsFor(rows) ? static_cast<Constant *>(coreFunction(
                                                                   emission, core, {rows, panels}))
                                                             : ConstantPointerNull::get(pointer));
  auto *type = ArrayType::get(pointer, functions.size());
  return new GlobalVariable(emission.module, type, /*isConstant=*/true,
                            GlobalValue::InternalLinkage, ConstantArray::get(type, functions),
                            name);
}

void callCore(IRBuilderBase &builder, Emission &emission, Core core, const CoreCall &call) {
  Value *offsets =
      core.left == Core::Left::rows ? call.offsets : ConstantPointerNull::get(builder.getPtrTy());
  Value *arguments[] = {
      call.k,          call.left,        offsets,
      call.right,      call.rightStride, call.tile,
      call.tileStride, call.accumulate,  call.leftStride ? call.leftStride : builder.getInt64(0)};
  FunctionType *type = coreType(builder.getContext());
  auto *rows = dyn_cast<ConstantInt>(call.rows), *panels = dyn_cast<ConstantInt>(call.panels);
  if (rows && panels) {
    builder.CreateCall(type,
                       coreFunction(emission, core, {rows->getSExtValue(), panels->getSExtValue()}),
                       arguments);
    return;
  }
  Value *one = builder.getInt64(1);
  Value *row = builder.CreateNSWMul(builder.CreateNSWSub(call.rows, one),
                                    builder.getInt64(core.set.panelsFor(1)));
  Value *number = builder.CreateNSWAdd(row, builder.CreateNSWSub(call.panels, one));
  Value *slot = builder.CreateInBoundsGEP(builder.getPtrTy(), coreTable(emission, core), number);
  builder.CreateCall(type, builder.CreateLoad(builder.getPtrTy(), slot), arguments);
}

} // namespace weft::cpu
