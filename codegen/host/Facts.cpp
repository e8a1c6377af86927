// The facts of a planned module as JSON.
#include "codegen/host/Facts.h"

#include "codegen/host/KernelFacts.h"
#include "codegen/host/SizeFacts.h"

#include "ir/cpu/Cpu.h"
#include "ir/cpu/Machine.h"
#include "ir/kernel/DimTable.h"
#include "ir/model/obligations/Obligations.h"
#include "ir/plan/Accesses.h"
#include "ir/plan/Arena.h"
#include "ir/plan/PackedWeights.h"

#include "ir/model/Entries.h"
#include "ir/model/weights/WeightsAs.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace llvm;
using namespace weft;
using model::NamedTensorType;

namespace {
StringRef elementName(NamedTensorType type) {
  return type.isFloat() ? "float" : type.isBool() ? "bool" : "int";
}

/// An MLIR attribute as the JSON value it means.
json::Value toJson(mlir::Attribute attr) {
  if (auto text = dyn_cast<mlir::StringAttr>(attr))
    return text.getValue();
  if (auto flag = dyn_cast<mlir::BoolAttr>(attr))
    return flag.getValue();
  if (auto number = dyn_cast<mlir::IntegerAttr>(attr))
    return number.getInt();
  if (auto number = dyn_cast<mlir::FloatAttr>(attr))
    return number.getValueAsDouble();
  if (auto symbol = dyn_cast<mlir::FlatSymbolRefAttr>(attr))
    return symbol.getValue();
  if (isa<mlir::UnitAttr>(attr))
    return true;
  if (auto list = dyn_cast<mlir::ArrayAttr>(attr)) {
    json::Array result;
    for (mlir::Attribute each : list)
      result.push_back(toJson(each));
    return result;
  }
  if (auto record = dyn_cast<mlir::DictionaryAttr>(attr)) {
    json::Object result;
    for (mlir::NamedAttribute each : record)
      result[each.getName().getValue()] = toJson(each.getValue());
    return result;
  }
  return nullptr;
}

class Facts {
public:
  explicit Facts(mlir::ModuleOp module)
      : module(module), dims(kernel::DimTable::of(module)), packedWeights(module),
        numbersOfParameters(parameterNumbers(module)) {}

  json::Object all() {
    json::Object result{{"weft", 1},
                        {"dims", dimensions()},
                        {"parameters", parameters()},
                        {"packed", packed()},
                        {"entries", entries()}};
    result["kernels"] = kernelFacts(module, dims);
    for (auto source : module.getOps<model::SourceOp>()) {
      result["source"] = source.getFile();
      if (source.getConfig())
        result["config"] = *source.getConfig();
      if (source.getSettings())
        result["settings"] = toJson(source.getSettingsAttr());
      result["reads"] = reads();
    }
    if (auto cores = module->getAttrOfType<mlir::IntegerAttr>(cpu::coresAttr))
      result["cores"] = cores.getInt();
    if (json::Object tuned = tunedKernels(); !tuned.empty())
      result["tuned"] = std::move(tuned);
    if (model::Precision precision = model::precisionOf(module);
        precision != model::Precision::float32)
      result["precision"] = StringRef(model::precisionName(precision));
    if (auto weights = module->getAttrOfType<mlir::StringAttr>(model::attr::weights))
      result["weights"] = weights.getValue();
    json::Object beside; // of the parameters, which may be alone
    for (auto file : module.getOps<model::CarriedOp>())
      if (file.getFile() != carriedParameters && file.getFile() != carriedPacked)
        beside[file.getFile()] = file.getBytesAttr().getInt();
    if (!module.getOps<model::CarriedOp>().empty())
      result["carries"] = std::move(beside);
    result["training"] = trainings();
    result["decoding"] = decodings();
    return result;
  }

private:
  /// By instruction set: how many kernels have a schedule that tuning has found.
  json::Object tunedKernels() {
    std::map<std::string, int64_t> counts;
    module.walk([&](kernel::FusedOp op) {
      if (auto sets = op->getAttrOfType<mlir::ArrayAttr>(cpu::tunedAttr))
        for (auto set : sets.getAsRange<mlir::StringAttr>())
          ++counts[set.str()];
    });
    json::Object result;
    for (const cpu::Machine &machine : cpu::machines()) // some take those of another
      if (auto at = counts.find(machine.schedules.str()); at != counts.end())
        result[machine.name] = at->second;
    return result;
  }

  json::Value number(StringRef dim) { return numberOf(dim, dims); }

  json::Object reads() {
    json::Object result;
    for (auto entry : module.getOps<model::ReadsOp>())
      result[entry.getEntry()] = toJson(entry.getValues());
    return result;
  }

  // A module may hold only some of the entries, or none yet.

  bool has(StringRef name) {
    return any_of(module.getOps<plan::EntryOp>(),
                  [&](plan::EntryOp entry) { return model::publicName(entry) == name; });
  }

  json::Array trainings() {
    json::Array result;
    for (auto training : module.getOps<model::TrainingOp>())
      if (module.lookupSymbol<plan::EntryOp>(training.getGradientAttr()))
        result.push_back(toJson(training->getAttrDictionary()));
    for (auto evaluation : module.getOps<model::EvaluationOp>())
      if (has(evaluation.getEntry()))
        result.push_back(toJson(evaluation->getAttrDictionary()));
    return result;
  }

  json::Array decodings() {
    json::Array result;
    for (auto decoding : module.getOps<model::DecodingOp>()) {
      if (!decoding.getAdvance() || !module.lookupSymbol<plan::EntryOp>(decoding.getAdvanceAttr()))
        continue;
      json::Value row = toJson(decoding->getAttrDictionary());
      json::Object &record = *row.getAsObject();
      record.erase("fresh");
      record["dim"] = number(decoding.getDim());
      record["known"] = number(*decoding.getKnown());
      record["new"] = number(*decoding.getFresh());
      record["capacity"] = number(*decoding.getCapacity());
      result.push_back(std::move(row));
    }
    return result;
  }

  json::Array dimensions() {
    json::Array result;
    model::Dims sizes(module);
    for (auto dim : module.getOps<model::DimOp>()) {
      std::optional<int64_t> size = sizes.size(dim.getSymName()).constant();
      std::optional<int64_t> bound;
      if (auto attr = dim.getBoundAttr())
        bound = sizes.resolve(attr.getValue()).constant();
      json::Object record{{"name", dim.getSymName()},
                          {"size", size},
                          {"bound", bound},
                          {"derived", dim.getSizeAttr() && !size}};
      if (dim.getSizeAttr() && !size) {
        Size follows = sizes.size(dim.getSymName());
        json::Array from;
        for (const std::string &name : follows.dims())
          from.push_back(number(name));
        record["from"] = std::move(from);
        record["formula"] = formula(follows);
      }
      if (auto at = dim->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
        record["line"] = int64_t(at.getLine());
      result.push_back(std::move(record));
    }
    return result;
  }

  json::Value formula(const Size &size) { return formulaOf(size, dims); }

  /// For each buffer, the bytes of each value that it holds at some time.
  json::Array buffers(mlir::ArrayAttr slots) {
    json::Array result;
    for (mlir::Attribute slot : slots) {
      auto several = dyn_cast<mlir::ArrayAttr>(slot);
      json::Array held;
      for (mlir::Attribute size : several ? several.getValue() : mlir::ArrayRef(slot))
        held.push_back(formula(cast<model::SizeAttr>(size).getValue()));
      result.push_back(std::move(held));
    }
    return result;
  }

  /// The slots, then a key for each place that draws random numbers.
  json::Array work(plan::EntryOp entry) {
    json::Array result = buffers(entry.getSlots());
    entry.walk([&](plan::RandomKeyOp) {
      result.push_back(json::Array{formula(Size::number(24))}); // three words
    });
    return result;
  }

  /// Of each slot, those that it begins behind: in a row unless the plan says otherwise.
  json::Array behind(plan::EntryOp entry) {
    json::Array result;
    plan::Arena arena(entry);
    for (unsigned slot = 0; slot < arena.slots(); ++slot) {
      json::Array list;
      for (unsigned below : arena.behindOf(slot))
        list.push_back(int64_t(below));
      result.push_back(std::move(list));
    }
    return result;
  }

  json::Object tensor(NamedTensorType type) {
    json::Array numbers;
    for (model::DimAttr dim : type.getDims())
      numbers.push_back(number(dim.getValue()));
    return json::Object{{"element", elementName(type)}, {"dims", std::move(numbers)}};
  }

  json::Array parameters() {
    json::Array result;
    for (auto parameter : module.getOps<model::ParameterOp>()) {
      json::Object record = tensor(cast<NamedTensorType>(parameter.getType()));
      record["name"] = parameter.getSymName();
      record["loops"] = int64_t(parameter.getLoops());
      record["kind"] = stringifyParameterKind(parameter.getKind());
      record["init"] = stringifyInitKind(parameter.getInit());
      record["value"] = parameter.getValue().convertToDouble();
      if (auto of = parameter.getOfAttr())
        record["of"] = of.getValue();
      if (carriesPacked() && packedWeights.isPackedAlone(parameter.getSymName()))
        record["packed_alone"] = true;
      result.push_back(std::move(record));
    }
    return result;
  }

  bool carriesPacked() {
    return any_of(module.getOps<model::CarriedOp>(),
                  [](model::CarriedOp file) { return file.getFile() == carriedPacked; });
  }

  /// What entries make of parameters, and whether the program carries it.
  json::Array packed() {
    json::Array result;
    for (const plan::PackedWeight &weight : packedWeights.all()) {
      json::Object record{{"bytes", formula(weight.bytes)}};
      if (weight.parameter)
        record["of"] = int64_t(numbersOfParameters.lookup(*weight.parameter));
      json::Array varies;
      for (const std::string &dim : weight.varies)
        varies.push_back(number(dim));
      if (!varies.empty())
        record["varies"] = std::move(varies);
      if (carriesPacked() && weight.carried)
        record["carried"] = true;
      result.push_back(std::move(record));
    }
    return result;
  }

  json::Array tensors(mlir::ArrayAttr list, StringRef fallback) {
    json::Array result;
    for (auto [i, attr] : enumerate(list.getAsRange<mlir::DictionaryAttr>())) {
      auto type = cast<NamedTensorType>(attr.getAs<mlir::TypeAttr>("type").getValue());
      json::Object record = tensor(type);
      model::DimAttr index = type.indexed();
      auto name = attr.getAs<mlir::StringAttr>(model::attr::name);
      if (auto storage = attr.getAs<mlir::TypeAttr>(model::attr::storage))
        record["element"] = storage.getValue().isBF16() ? "bf16" : "int8";
      record["name"] = name ? name.str() : (fallback + Twine(i)).str();
      record["index"] = index ? number(index) : json::Value(nullptr);
      record["cache"] = bool(attr.get(model::attr::cache));
      mlir::Attribute of = attr.get(model::attr::gradientOf);
      record["gradient_of"] = of ? toJson(of) : json::Value(nullptr);
      result.push_back(std::move(record));
    }
    return result;
  }

  /// What must hold of the sizes of a run: the text, the two sides, and the dimensions in them that
  /// come with the data.
  json::Array obligations(plan::EntryOp entry) {
    json::Array result;
    model::Dims sizes(module);
    if (auto asked = entry->getAttrOfType<mlir::ArrayAttr>(model::attr::requirements))
      for (auto what : asked.getAsRange<model::RequireAttr>()) {
        std::set<std::string> names;
        for (const Size &side : {what.getLeft(), what.getRight()})
          for (const std::string &name : sizes.resolve(side).dims())
            names.insert(name);
        json::Array numbers;
        for (const std::string &name : names)
          numbers.push_back(number(name));
        result.push_back(json::Object{{"text", what.getText().getValue()},
                                      {"dims", std::move(numbers)},
                                      {"relation", model::relationName(what.getRelation())},
                                      {"left", formula(what.getLeft())},
                                      {"right", formula(what.getRight())}});
      }
    return result;
  }

  /// The parameters that its body writes.
  json::Array writes(plan::EntryOp entry) {
    std::set<int64_t> written;
    for (const plan::Access &access : plan::accessesOf(entry.getBody().front()))
      if (auto parameter = dyn_cast<plan::ParameterOp>(access.base); parameter && access.writes)
        written.insert(numbersOfParameters.lookup(parameter.getName()));
    json::Array result;
    for (int64_t number : written)
      result.push_back(number);
    return result;
  }

  json::Array entries() {
    json::Array result;
    for (auto entry : module.getOps<plan::EntryOp>()) {
      model::EntryKind kind = model::kindOf(entry).value_or(model::EntryKind::plain);
      json::Array packed;
      for (unsigned number : packedWeights.of(entry))
        packed.push_back(int64_t(number));
      result.push_back(json::Object{{"name", model::publicName(entry)},
                                    {"kind", stringifyEntryKind(kind)},
                                    {"inputs", tensors(entry.getInputs(), "input")},
                                    {"outputs", tensors(entry.getOutputs(), "output")},
                                    {"obligations", obligations(entry)},
                                    {"work", work(entry)},
                                    {"behind", behind(entry)},
                                    {"packed", std::move(packed)},
                                    {"writes", writes(entry)}});
    }
    return result;
  }

  mlir::ModuleOp module;
  kernel::DimTable dims;
  plan::PackedWeights packedWeights;
  StringMap<unsigned> numbersOfParameters;
};
} // namespace

StringMap<unsigned> weft::parameterNumbers(mlir::ModuleOp module) {
  StringMap<unsigned> numbers;
  for (auto parameter : module.getOps<model::ParameterOp>())
    numbers.try_emplace(parameter.getSymName(), numbers.size());
  return numbers;
}

std::string weft::factsAsJson(mlir::ModuleOp module) {
  std::string text;
  raw_string_ostream(text) << json::Value(Facts(module).all());
  return text;
}
