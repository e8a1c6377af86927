// What a program demands of the compiler.
#include "ir/model/demands/Demands.h"

#include "ir/model/SourceLines.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace weft::model {

constexpr StringLiteral required = "require", forbidden = "forbid";

std::string Demand::text() const {
  return ("@" + (this->required ? model::required : forbidden) + "(" + fusion->name + ")").str();
}

/// `model.weft:3:5`, the user's own place, which a text without locations has too; or nothing.
static NamedAttribute placeOf(Builder &builder, Location at) {
  std::string place;
  if (FileLineColLoc found = sourceOf(at))
    place = llvm::formatv("{0}:{1}:{2}", found.getFilename().getValue(), found.getLine(),
                          found.getColumn());
  return builder.getNamedAttr("at", builder.getStringAttr(place));
}

static Location readPlace(StringAttr place) {
  auto [line, column] = place.getValue().rsplit(':');
  auto [file, number] = line.rsplit(':');
  unsigned atLine = 0, atColumn = 0;
  if (number.getAsInteger(10, atLine) || column.getAsInteger(10, atColumn))
    return UnknownLoc::get(place.getContext());
  return FileLineColLoc::get(place.getContext(), file, atLine, atColumn);
}

static Attribute attributeOf(MLIRContext *context, const Refused &refused) {
  Builder builder(context);
  return builder.getDictionaryAttr(
      {placeOf(builder, refused.at),
       builder.getNamedAttr("why", builder.getStringAttr(refused.why))});
}

static Attribute attributeOf(MLIRContext *context, const Demand &demand) {
  Builder builder(context);
  SmallVector<NamedAttribute> parts = {
      builder.getNamedAttr("asks", builder.getStringAttr(demand.required ? required : forbidden)),
      builder.getNamedAttr("fusion", builder.getStringAttr(demand.fusion->name)),
      builder.getNamedAttr("function", builder.getStringAttr(demand.function)),
      placeOf(builder, demand.at)};
  if (demand.met)
    parts.push_back(builder.getNamedAttr("met", builder.getUnitAttr()));
  if (!demand.refused.empty())
    parts.push_back(builder.getNamedAttr("refused", builder.getArrayAttr(llvm::map_to_vector(
                                                        demand.refused, [&](const Refused &each) {
                                                          return attributeOf(context, each);
                                                        }))));
  return builder.getDictionaryAttr(parts);
}

static std::optional<Refused> readRefused(Attribute value) {
  auto parts = dyn_cast<DictionaryAttr>(value);
  auto why = parts ? parts.getAs<StringAttr>("why") : StringAttr();
  auto at = parts ? parts.getAs<StringAttr>("at") : StringAttr();
  if (!why || !at || parts.size() != 2)
    return std::nullopt;
  return Refused{why.str(), readPlace(at)};
}

static std::optional<Demand> readDemand(Attribute value) {
  auto parts = dyn_cast<DictionaryAttr>(value);
  if (!parts)
    return std::nullopt;
  auto asks = parts.getAs<StringAttr>("asks"), name = parts.getAs<StringAttr>("fusion"),
       function = parts.getAs<StringAttr>("function");
  auto at = parts.getAs<StringAttr>("at");
  const Fusion *fusion = name ? findFusion(name.strref()) : nullptr;
  bool known = asks && (asks == required || asks == forbidden);
  if (!known || !fusion || !function || !at)
    return std::nullopt;
  Demand demand{asks == required, fusion, function.str(), readPlace(at), parts.contains("met")};
  size_t read = 4 + demand.met;
  if (auto list = parts.getAs<ArrayAttr>("refused")) {
    ++read;
    for (Attribute each : list) {
      std::optional<Refused> refused = readRefused(each);
      if (!refused)
        return std::nullopt;
      demand.refused.push_back(*refused);
    }
  }
  return read == parts.size() ? std::optional(demand) : std::nullopt;
}

bool areDemands(Attribute value, std::string &problem) {
  auto list = dyn_cast<ArrayAttr>(value);
  if (list && llvm::all_of(list, [](Attribute each) { return readDemand(each).has_value(); }))
    return true;
  problem =
      "each has `asks` (\"require\" or \"forbid\"), `fusion` (a name), `function` and `at` (a "
      "place), and perhaps `met` and `refused`";
  return false;
}

static ArrayAttr listOf(ModuleOp module) {
  return module ? module->getAttrOfType<ArrayAttr>(attr::demands) : ArrayAttr();
}

std::vector<Demand> demandsOf(ModuleOp module) {
  std::vector<Demand> demands;
  if (ArrayAttr list = listOf(module))
    for (Attribute each : list)
      demands.push_back(*readDemand(each)); // the dialect has verified them
  return demands;
}

void setDemands(ModuleOp module, ArrayRef<Demand> demands) {
  SmallVector<Attribute> list = llvm::map_to_vector(
      demands, [&](const Demand &each) { return attributeOf(module.getContext(), each); });
  module->setAttr(attr::demands, ArrayAttr::get(module.getContext(), list));
}

int64_t addDemand(ModuleOp module, const Demand &demand) {
  ArrayAttr known = listOf(module);
  SmallVector<Attribute> list(known ? known.getValue() : ArrayRef<Attribute>());
  list.push_back(attributeOf(module.getContext(), demand));
  module->setAttr(attr::demands, ArrayAttr::get(module.getContext(), list));
  return static_cast<int64_t>(list.size()) - 1;
}

SmallVector<int64_t> demandsAt(Location at) {
  SmallVector<int64_t> numbers;
  at->walk([&](Location each) {
    auto fused = dyn_cast<FusedLoc>(each);
    if (auto list =
            fused ? dyn_cast_or_null<DenseI64ArrayAttr>(fused.getMetadata()) : DenseI64ArrayAttr())
      llvm::append_range(numbers, list.asArrayRef());
    return WalkResult::advance();
  });
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

Location withDemands(Location at, ArrayRef<int64_t> numbers) {
  if (numbers.empty())
    return at;
  return FusedLoc::get(at.getContext(), {at}, DenseI64ArrayAttr::get(at.getContext(), numbers));
}

Location withoutDemands(Location at) {
  if (demandsAt(at).empty())
    return at;
  AttrTypeReplacer plain;
  plain.addReplacement([](FusedLoc each) -> std::optional<Attribute> {
    LocationAttr found = each;
    for (auto fused = each; fused && isa_and_nonnull<DenseI64ArrayAttr>(fused.getMetadata());
         fused = dyn_cast<FusedLoc>(found))
      found = FusedLoc::get(fused.getContext(), fused.getLocations());
    return found;
  });
  return cast<LocationAttr>(plain.replace(Attribute(at)));
}

Location heldTo(Location at, Location other) {
  SmallVector<int64_t> known = demandsAt(at), more = demandsAt(other);
  llvm::erase_if(more, [&](int64_t number) { return llvm::is_contained(known, number); });
  return withDemands(at, more);
}

/// The demands that `ops` are held to, each with its number, of this fusion.
static SmallVector<int64_t> demandedOf(ArrayRef<Operation *> ops, StringRef fusion, bool required,
                                       ArrayRef<Demand> demands) {
  SmallVector<int64_t> found;
  for (Operation *op : ops)
    for (int64_t number : demandsAt(op->getLoc()))
      if (size_t(number) < demands.size() && demands[number].required == required &&
          StringRef(demands[number].fusion->name) == fusion)
        found.push_back(number);
  return found;
}

std::optional<Demand> forbidding(ArrayRef<Operation *> ops, StringRef fusion) {
  auto module = ops.front()->getParentOfType<ModuleOp>();
  if (!listOf(module))
    return std::nullopt;
  std::vector<Demand> demands = demandsOf(module);
  SmallVector<int64_t> found = demandedOf(ops, fusion, /*required=*/false, demands);
  if (found.empty())
    return std::nullopt;
  for (int64_t number : found)
    demands[number].met = true;
  setDemands(module, demands);
  return demands[found.front()];
}

void noteRefusal(ArrayRef<Operation *> ops, StringRef fusion, const std::string &why) {
  auto module = ops.front()->getParentOfType<ModuleOp>();
  if (!listOf(module))
    return;
  std::vector<Demand> demands = demandsOf(module);
  for (int64_t number : demandedOf(ops, fusion, /*required=*/true, demands)) {
    std::vector<Refused> &refused = demands[number].refused;
    if (llvm::none_of(refused, [&](const Refused &each) { return each.why == why; }))
      refused.push_back({why, ops.front()->getLoc()});
  }
  setDemands(module, demands);
}

} // namespace weft::model
