// Builds the module: configuration first, then every entry that was asked for, then what they
// declared.
#include "frontend/lower/ModelBuilder.h"

#include "frontend/lower/Probes.h"
#include "frontend/lower/TrainedParameters.h"
#include "frontend/lower/body/Derived.h"
#include "frontend/source/Spelling.h"

#include "ir/model/Entries.h"
#include "ir/model/obligations/Positions.h"
#include "ir/model/weights/WeightsAs.h"
#include "mlir/IR/Verifier.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace mlir;

namespace weft {
namespace {

using namespace lower;

/// Everything that is built, in the order in which it was asked for.
class ModuleBuilder {
public:
  explicit ModuleBuilder(Session &session)
      : session(session), attributes(session.module.getContext()), probes(session) {
    attributes.setInsertionPointToEnd(session.module.getBody());
  }

  bool build(std::vector<std::string> entries);

private:
  bool plain(const sema::FunctionInfo &entry);
  bool derived(const ast::DerivedEntry &entry);
  bool minimize(const ast::DerivedEntry &entry);
  bool decode(const ast::DerivedEntry &entry);
  std::vector<std::string> allEntries() const;
  void declare();
  void settleIndices();
  void separateSymbols();
  void dropUnusedConstants();
  void note();
  ArrayAttr metrics(func::FuncOp loss);
  void keep(const Reads &reads, const std::string &entry);

  Session &session;
  OpBuilder attributes;
  std::set<std::string> built;
  Probes probes;
};

std::vector<std::string> ModuleBuilder::allEntries() const {
  std::vector<std::string> names;
  for (const ast::File &file : session.program.syntax.files)
    for (const ast::Declaration &declaration : file.declarations) {
      if (auto *function = declaration.as<ast::Function>();
          function && function->kind == ast::FnKind::entry)
        names.push_back(function->name.text);
      if (auto *derived = declaration.as<ast::DerivedEntry>())
        names.push_back(derived->name.text);
    }
  return names;
}

bool ModuleBuilder::plain(const sema::FunctionInfo &entry) {
  if (!built.insert(entry.name).second)
    return true;
  Builder builder(session, session.options.training);
  if (!builder.entry(entry, entry.name))
    return false;
  keep(builder.read(), entry.name);
  keep(builder.read(), "*");
  return probes.add(entry);
}

/// Remembers that the entry reads these settings, besides others that it reads.
void ModuleBuilder::keep(const Reads &reads, const std::string &entry) {
  DictionaryAttr &known = session.reads[entry];
  NamedAttrList all = known ? NamedAttrList(known) : NamedAttrList();
  for (NamedAttribute value : valuesOf(reads, session.configuration, attributes))
    all.set(value.getName(), value.getValue());
  known = all.getDictionary(attributes.getContext());
}

/// The names of all results but the first, which is minimized, and what those are means over.
ArrayAttr ModuleBuilder::metrics(func::FuncOp loss) {
  SmallVector<Attribute> names;
  for (unsigned i = 1; i < loss.getNumResults(); ++i)
    if (auto name = loss.getResultAttrOfType<StringAttr>(i, model::attr::name); name != countResult)
      names.push_back(name);
  return attributes.getArrayAttr(names);
}

bool ModuleBuilder::minimize(const ast::DerivedEntry &entry) {
  const std::string &name = entry.name.text;
  auto clause = readMinimize(entry, session);
  if (!clause)
    return false;
  DictionaryAttr data = clause->data ? dataOf(*clause, session) : DictionaryAttr();
  if (clause->data && !data)
    return false;
  Builder builder(session, true);
  func::FuncOp loss = builder.entry(*clause->loss, name + ".loss");
  if (!loss)
    return false;
  auto parameters = parametersOf(loss, *clause, session);
  if (!parameters)
    return false;
  auto part = [&](StringRef part) {
    return FlatSymbolRefAttr::get(attributes.getContext(), name + "." + part.str());
  };
  model::TrainingOp::create(
      attributes, loss.getLoc(), attributes.getStringAttr(name),
      attributes.getStringAttr(clause->loss->name), part("loss"), part("gradient"), part("update"),
      metrics(loss),
      parameters->frozen.empty() ? ArrayAttr() : attributes.getArrayAttr(parameters->frozen), data);
  keep(builder.read(), name + ".gradient");
  Builder updating(session, true);
  if (!updating.update(*clause, name + ".update", parameters->trained))
    return false;
  for (const Builder *part : {&builder, &updating})
    keep(part->read(), name);
  return true;
}

bool ModuleBuilder::decode(const ast::DerivedEntry &entry) {
  auto clause = readDecode(entry, session);
  if (!clause || !plain(*clause->entry))
    return false;
  session.reads[entry.name.text] = session.reads[clause->entry->name];
  auto text = [&](StringRef value) { return attributes.getStringAttr(value); };
  model::DecodingOp::create(
      attributes, session.locate(entry.name.span, entry.name.text), text(entry.name.text),
      text(clause->entry->name), text(clause->argument),
      model::DimAttr::get(attributes.getContext(), clause->dim),
      attributes.getI64IntegerAttr(clause->start), attributes.getI64IntegerAttr(clause->max),
      FlatSymbolRefAttr(), model::DimAttr(), model::DimAttr(), model::DimAttr(),
      FlatSymbolRefAttr());
  return true;
}

bool ModuleBuilder::derived(const ast::DerivedEntry &entry) {
  if (!built.insert(entry.name.text).second)
    return true;
  auto *call = entry.expr->as<ast::Call>();
  if (call && call->callee.text == "minimize")
    return minimize(entry);
  if (call && call->callee.text == "decode")
    return decode(entry);
  session.diagnostics.error(Code::E0610, entry.expr->span,
                            "an entry is derived by `minimize` or `decode`");
  return false;
}

/// A `weights` clause may speak of dimensions that no value has: it splits others into them, or a
/// file gives their sizes.
static void useOfWeights(const ast::Program &program, DimTable &dims) {
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations) {
      auto *weights = declaration.as<ast::Weights>();
      if (!weights)
        continue;
      for (const ast::WeightRule &rule : weights->rules) {
        auto use = [&](const ast::OwnPart &part) {
          for (const ast::Pick &pick : part.picks)
            if (auto *as = std::get_if<ast::Rename>(&pick))
              for (const ast::Name &name : as->to.dims)
                dims.ofProgram(name.text);
        };
        if (auto *rename = std::get_if<ast::RenameRule>(&rule))
          llvm::for_each(rename->parts, use);
        if (auto *layout = std::get_if<ast::LayoutRule>(&rule))
          use(layout->part);
        if (auto *size = std::get_if<ast::SizeRule>(&rule))
          for (const ast::Name &name : size->dims.dims)
            dims.ofProgram(name.text);
      }
    }
}

/// Dimensions and storage stand before the functions that use them.
void ModuleBuilder::declare() {
  useOfWeights(session.program.syntax, session.dims);
  OpBuilder builder(session.module.getContext());
  Block *body = session.module.getBody();
  builder.setInsertionPointToStart(body);
  Operation *first = body->empty() ? nullptr : &body->front();
  session.dims.declare(builder,
                       [&](Span span, StringRef name) { return session.locate(span, name); });
  SmallVector<Operation *> storage;
  for (auto op : session.module.getOps<model::ParameterOp>())
    storage.push_back(op);
  for (Operation *op : storage)
    if (op != first)
      first ? op->moveBefore(first) : op->moveBefore(body, body->end());
    else
      first = op->getNextNode();
}

/// Now that sizes are declared.
void ModuleBuilder::settleIndices() {
  model::Dims dims(session.module);
  OpBuilder builder(session.module.getContext());
  session.module.walk([&](model::GatherOp gather) {
    builder.setInsertionPoint(gather);
    model::settleIndex(builder, gather, dims);
  });
}

/// Dimensions, storage and entries are named apart in the language, but symbols of one table here:
/// an entry steps aside
/// (`model.entry` keeps its name). A path of storage and a dimension cannot both keep theirs.
void ModuleBuilder::separateSymbols() {
  std::map<std::string, Operation *> taken;
  for (Operation &op : *session.module.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol)
      continue;
    StringAttr name = symbol.getNameAttr();
    auto [other, isNew] = taken.try_emplace(name.str(), &op);
    if (isNew)
      continue;
    if (isa<func::FuncOp>(op)) {
      std::string free = name.str() + ".entry";
      while (!taken.try_emplace(free, &op).second)
        free += "_";
      SymbolTable::setSymbolName(&op, free);
    } else if (auto found = session.storage.find(name.getValue()); found != session.storage.end()) {
      session.diagnostics
          .error(Code::E0608, found->second.declaration->name.span,
                 fmt::format("a parameter and a dimension are both called `{}`", name.str()))
          .suggest("label the call that owns the parameter: `name: …`");
    }
  }
}

/// A literal that was taken as a number of another type has left one that nobody uses.
void ModuleBuilder::dropUnusedConstants() {
  session.module.walk([](model::ConstantOp constant) {
    if (constant->use_empty())
      constant->erase();
  });
}

/// What the module as a whole says of itself, at its start.
void ModuleBuilder::note() {
  const Configuration &configuration = session.configuration;
  Location loc = session.module.getLoc();
  std::string source;
  if (!session.program.syntax.files.empty())
    source = session.sources.file(session.program.syntax.files.front().id).name();
  if (configuration.precision)
    model::setPrecision(session.module, *configuration.precision);
  if (configuration.weightsAs)
    session.module->setAttr(model::attr::weights,
                            attributes.getStringAttr(*configuration.weightsAs));
  if (configuration.cachesAs)
    model::setCacheFormat(session.module, *configuration.cachesAs);
  if (configuration.recompute)
    session.module->setAttr(model::attr::recompute,
                            attributes.getStringAttr(*configuration.recompute));
  NamedAttrList settings;
  for (auto &[name, value] : configuration.settings)
    settings.set(name, attributeOf(value, attributes));
  Block *body = session.module.getBody();
  SmallVector<Operation *> derived;
  for (Operation &op : *body)
    if (isa<model::TrainingOp, model::DecodingOp>(op))
      derived.push_back(&op);
  attributes.setInsertionPointToStart(body);
  auto first = model::SourceOp::create(
      attributes, loc, attributes.getStringAttr(source),
      configuration.config.empty() ? StringAttr() : attributes.getStringAttr(configuration.config),
      settings.empty() ? DictionaryAttr() : settings.getDictionary(attributes.getContext()));
  Operation *last = first;
  for (auto &[entry, values] : session.reads)
    last = model::ReadsOp::create(attributes, loc, attributes.getStringAttr(entry), values);
  for (Operation *op : derived) {
    op->moveAfter(last);
    last = op;
  }
}

bool ModuleBuilder::build(std::vector<std::string> entries) {
  if (entries.empty())
    entries = allEntries();
  bool fine = true;
  for (const std::string &name : entries) {
    const sema::Program &program = session.program;
    if (auto entry = program.entries.find(name); entry != program.entries.end()) {
      fine &= plain(*entry->second);
    } else if (auto entry = program.derived.find(name); entry != program.derived.end()) {
      fine &= derived(*entry->second);
    } else {
      auto &error =
          session.diagnostics.error(Code::E0611, fmt::format("no entry is called `{}`", name));
      std::vector<std::string> known = allEntries();
      auto near = nearest(name, known);
      error.suggest(near            ? fmt::format("did you mean `{}`?", *near)
                    : known.empty() ? "the program has none: `entry run(...) -> ... = ...`"
                                    : fmt::format("there is `{}`", fmt::join(known, "`, `")));
      fine = false;
    }
  }
  probes.reportUnanswered();
  if (!fine || session.diagnostics.hasErrors())
    return false;
  declare();
  settleIndices();
  separateSymbols();
  dropUnusedConstants();
  note();
  return !session.diagnostics.hasErrors();
}

/// What the builder produced must verify; if not, the compiler is wrong, and says so at the user's
/// line.
bool verified(ModuleOp module, Diagnostics &diagnostics) {
  std::string text;
  ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream out(text);
    out << diagnostic.getLocation() << ": " << diagnostic.str() << "\n";
    return success();
  });
  if (succeeded(verify(module)))
    return true;
  diagnostics.error(Code::E0610, "the compiler built a wrong program").note(text);
  return false;
}

} // namespace

OwningOpRef<ModuleOp> buildModel(const CheckedProgram &program, const BuildOptions &options,
                                 const SourceManager &sources, MLIRContext &context,
                                 Diagnostics &diagnostics) {
  if (!program)
    return {}; // the checker has said why
  context.loadDialect<model::ModelDialect, func::FuncDialect>();
  auto configuration = configure(*program, options.settings, diagnostics);
  if (!configuration)
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  Session session{*program,
                  sources,
                  diagnostics,
                  options,
                  *configuration,
                  *module,
                  DimTable(&context, *configuration),
                  {},
                  {},
                  {},
                  {}};
  size_t before = diagnostics.errorCount();
  bool fine = ModuleBuilder(session).build(options.entries);
  if (!fine || diagnostics.errorCount() != before || !verified(*module, diagnostics))
    return {};
  return module;
}

} // namespace weft
