// Parses, verifies and interprets a program of a test.
#include "Interpreted.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace mlir;
using namespace weft::test;

struct Program::Parsed {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

Program::Program(const std::string &text) : parsed(std::make_unique<Parsed>()) {
  parsed->context.loadDialect<func::FuncDialect, weft::model::ModelDialect>();
  parsed->context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      reported += diagnostic.str() + "\n";
  });
  parsed->module = parseSourceString<ModuleOp>(text, &parsed->context);
  if (parsed->module)
    runner = std::make_unique<Interpreter>(*parsed->module);
}

Program::~Program() = default;

bool Program::ok() const {
  return bool(parsed->module);
}

ModuleOp Program::module() {
  return *parsed->module;
}

std::vector<Array> Program::run(std::vector<Array> inputs, const std::string &entry) {
  if (!runner)
    return {};
  FailureOr<std::vector<Array>> results = runner->run(entry, inputs);
  return succeeded(results) ? *results : std::vector<Array>();
}

Array weft::test::evaluated(const std::string &dims, const std::string &arguments,
                            const std::string &lines, std::vector<Array> inputs) {
  std::string text;
  std::istringstream words(dims);
  for (std::string word; words >> word;) {
    size_t equals = word.find('='), name = word.find_first_of("=?");
    text += "model.dim @" + word.substr(0, name);
    if (equals != std::string::npos)
      text += " = <" + word.substr(equals + 1) + ">";
    text += word.back() == '?' ? " or_empty\n" : "\n";
  }
  // The type of %r is not written: the function is made with none, then given the one that %r has.
  text += "func.func @f(" + arguments + ") {\n" + lines + "\nreturn\n}\n";
  Program program(text);
  EXPECT_TRUE(program.ok()) << program.errors() << text;
  if (!program.ok())
    return {};
  auto function = program.module().lookupSymbol<func::FuncOp>("f");
  Operation *end = function.getBody().front().getTerminator();
  Value result = end->getPrevNode()->getResults().back();
  end->setOperands(result);
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(), result.getType()));
  EXPECT_TRUE(succeeded(verify(program.module())));
  std::vector<Array> results = program.run(std::move(inputs));
  EXPECT_EQ(results.size(), 1u) << program.errors() << text;
  return results.empty() ? Array() : results.front();
}

static std::string text(const Array &array) {
  std::ostringstream out;
  out << "[";
  for (int64_t size : array.shape)
    out << " " << size;
  out << " ]:";
  std::visit(
      [&](const auto &data) {
        for (auto x : data)
          out << " " << +x;
      },
      array.data);
  return out.str();
}

void weft::test::expectNear(const Array &found, const Array &expected, double tolerance) {
  bool same = found.shape == expected.shape && found.data.index() == expected.data.index();
  if (same && found.data.index() != 0)
    same = found == expected;
  else if (same)
    same = found.floats().size() == expected.floats().size() &&
           std::equal(found.floats().begin(), found.floats().end(), expected.floats().begin(),
                      [&](double a, double b) {
                        return a == b || (std::isnan(a) && std::isnan(b)) ||
                               std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
                      });
  EXPECT_TRUE(same) << "found    " << text(found) << "\nexpected " << text(expected);
}
