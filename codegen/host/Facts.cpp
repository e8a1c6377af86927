// The facts of a planned module as JSON.
#include "codegen/host/Facts.h"

#include "codegen/host/LowerPlan.h"
#include "ir/model/Obligations.h"

#include "llvm/Support/JSON.h"

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
  explicit Facts(mlir::ModuleOp module) : module(module), dims(kernel::DimTable::of(module)) {}

  json::Object all() {
    json::Object result{
        {"weft", 1}, {"dims", dimensions()}, {"parameters", parameters()}, {"entries", entries()}};
    for (StringRef key : {"source", "config", "settings", "reads", "carries"})
      if (mlir::Attribute attr = module->getAttr(("weft." + key).str()))
        result[key] = toJson(attr);
    result["training"] = list("weft.trainings", "gradient");
    json::Array decodings = list("weft.decodings", "advance");
    for (json::Value &each : decodings)
      for (StringRef key : {"dim", "known", "new", "capacity"})
        if (std::optional<StringRef> name = each.getAsObject()->getString(key))
          (*each.getAsObject())[key] = number(*name);
    result["decoding"] = std::move(decodings);
    return result;
  }

private:
  json::Value number(StringRef dim) {
    auto at = dims.dims.find(dim);
    return at == dims.dims.end() ? json::Value(nullptr) : json::Value(int64_t(at->second.number));
  }

  /// The rows of which `entry` is among the entries: a module may hold only some, or none yet.
  json::Array list(StringRef attribute, StringRef entry) {
    json::Array rows;
    if (auto attr = module->getAttrOfType<mlir::ArrayAttr>(attribute))
      for (auto row : attr.getAsRange<mlir::DictionaryAttr>())
        if (auto name = row.getAs<mlir::StringAttr>(entry);
            name && module.lookupSymbol<plan::EntryOp>(name))
          rows.push_back(toJson(row));
    return rows;
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
      json::Array from;
      if (dim.getSizeAttr())
        for (const std::string &name : sizes.size(dim.getSymName()).dims())
          from.push_back(number(name));
      if (!from.empty())
        record["from"] = std::move(from);
      if (auto at = dim->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
        record["line"] = int64_t(at.getLine());
      result.push_back(std::move(record));
    }
    return result;
  }

  json::Object tensor(NamedTensorType type) {
    json::Array numbers;
    for (mlir::StringAttr dim : type.getDims())
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
      result.push_back(std::move(record));
    }
    return result;
  }

  json::Array tensors(mlir::ArrayAttr list, StringRef fallback) {
    json::Array result;
    for (auto [i, attr] : enumerate(list.getAsRange<mlir::DictionaryAttr>())) {
      json::Object record =
          tensor(cast<NamedTensorType>(attr.getAs<mlir::TypeAttr>("type").getValue()));
      auto name = attr.getAs<mlir::StringAttr>("weft.name");
      record["name"] = name ? name.str() : (fallback + Twine(i)).str();
      auto index = attr.getAs<mlir::StringAttr>("weft.index");
      record["index"] = index ? number(index.getValue()) : json::Value(nullptr);
      record["cache"] = bool(attr.get("weft.cache"));
      mlir::Attribute of = attr.get("weft.gradient_of");
      record["gradient_of"] = of ? toJson(of) : json::Value(nullptr);
      result.push_back(std::move(record));
    }
    return result;
  }

  /// What must hold of the sizes of a run, in the order of `settle`: the text, and the dimensions
  /// that come with the data and are what it is about.
  json::Array obligations(plan::EntryOp entry) {
    json::Array result;
    model::Dims sizes(module);
    if (auto asked = entry->getAttrOfType<mlir::ArrayAttr>(model::requiresName))
      for (auto what : asked.getAsRange<model::RequireAttr>()) {
        std::set<std::string> names;
        for (const Size &side : {what.getLeft(), what.getRight()})
          for (const std::string &name : sizes.resolve(side).dims())
            names.insert(name);
        json::Array numbers;
        for (const std::string &name : names)
          numbers.push_back(number(name));
        result.push_back(
            json::Object{{"text", what.getText().getValue()}, {"dims", std::move(numbers)}});
      }
    return result;
  }

  json::Array entries() {
    json::Array result;
    for (auto entry : module.getOps<plan::EntryOp>()) {
      auto kind = entry->getAttrOfType<mlir::StringAttr>("weft.kind");
      auto name =
          entry->getAttrOfType<mlir::StringAttr>("weft.entry"); // the symbol may have stepped aside
      result.push_back(json::Object{{"name", name ? name.getValue() : entry.getSymName()},
                                    {"kind", kind ? kind.getValue() : "plain"},
                                    {"inputs", tensors(entry.getInputs(), "input")},
                                    {"outputs", tensors(entry.getOutputs(), "output")},
                                    {"obligations", obligations(entry)}});
    }
    return result;
  }

  mlir::ModuleOp module;
  kernel::DimTable dims;
};
} // namespace

std::string weft::factsAsJson(mlir::ModuleOp module) {
  std::string text;
  raw_string_ostream(text) << json::Value(Facts(module).all());
  return text;
}
