// From a function to nodes.
#include "tools/weft/show/Graph.h"

#include "ir/kernel/Kernel.h"
#include "ir/model/Entries.h"
#include "ir/model/Model.h"
#include "tools/weft/show/KernelText.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace weft {
namespace {

class Reader {
public:
  explicit Reader(mlir::func::FuncOp function) : function(function) {}

  Graph read() {
    for (auto [number, argument] : llvm::enumerate(function.getArguments())) {
      auto name = function.getArgAttrOfType<mlir::StringAttr>(number, model::attr::name);
      makers[argument] = {add({"input", name ? name.str() : "", "", shapeOf(argument), "", 0, {}})};
    }
    walk(function.getBody().front(), 0);
    for (auto [number, value] :
         llvm::enumerate(function.getBody().front().getTerminator()->getOperands())) {
      auto name = function.getResultAttrOfType<mlir::StringAttr>(number, model::attr::name);
      bool isGradient = function.getResultAttr(number, model::attr::gradientOf) != nullptr;
      GraphNode node{
          "output", name ? name.str() : "", isGradient ? "gradient" : "", shapeOf(value), "", 0,
          {}};
      node.inputs = sorted(makers[value]);
      add(std::move(node));
    }
    return std::move(graph);
  }

private:
  using Nodes = std::set<unsigned>;

  unsigned add(GraphNode node) {
    graph.nodes.push_back(std::move(node));
    return graph.nodes.size() - 1;
  }

  static std::vector<unsigned> sorted(const Nodes &nodes) { return {nodes.begin(), nodes.end()}; }

  static std::string shapeOf(mlir::Value value) {
    auto type = llvm::dyn_cast<model::NamedTensorType>(value.getType());
    if (!type)
      return "";
    std::string dims;
    for (model::DimAttr dim : type.getDims())
      dims += (dims.empty() ? "" : ", ") + dim.str();
    return dims.empty() ? "one number" : fmt::format("[{}]", dims);
  }

  static void count(std::vector<std::pair<std::string, unsigned>> &shapes, std::string shape) {
    auto found = llvm::find_if(shapes, [&](const auto &each) { return each.first == shape; });
    if (found == shapes.end())
      shapes.emplace_back(std::move(shape), 1);
    else
      ++found->second;
  }

  void kernel(kernel::FusedOp op, unsigned depth) {
    GraphNode node{stringifyFamily(op.getFamily()).str(),
                   op.getLabel().str(),
                   contentsOf(op),
                   "",
                   "",
                   depth,
                   {}};
    if (op->getNumResults())
      node.shape = shapeOf(op->getResult(0));
    Nodes inputs;
    std::vector<std::pair<std::string, unsigned>> weights; // shapes, and how many have each
    for (mlir::Value operand : op.getInputs()) {
      const Nodes &from = makers[operand];
      inputs.insert(from.begin(), from.end());
      if (auto param = operand.getDefiningOp<model::ParamOp>())
        count(weights, shapeOf(operand));
    }
    node.inputs = sorted(inputs);
    for (const auto &[shape, count] : weights)
      node.weights += fmt::format("{}{}{}", node.weights.empty() ? "" : " ", shape,
                                  count > 1 ? fmt::format(" x{}", count) : "");
    unsigned number = add(std::move(node));
    for (mlir::Value result : op->getResults())
      makers[result] = {number};
  }

  void loop(model::RepeatOp op, unsigned depth) {
    mlir::Block &body = op.getBody().front();
    for (auto [argument, initial] : llvm::zip(body.getArguments(), op->getOperands()))
      makers[argument] = makers.lookup(initial); // a reference into the map would not last
    unsigned first = graph.nodes.size();
    walk(body, depth + 1);
    if (graph.nodes.size() > first)
      graph.loops.push_back(
          {fmt::format("{}{}", op.getDim().str(), op.getReverse() ? ", backwards" : ""), first,
           static_cast<unsigned>(graph.nodes.size() - 1), depth});
    for (auto [result, yielded] : llvm::zip(op->getResults(), body.getTerminator()->getOperands()))
      makers[result] = makers.lookup(yielded);
  }

  void walk(mlir::Block &block, unsigned depth) {
    for (mlir::Operation &op : block) {
      if (auto fused = llvm::dyn_cast<kernel::FusedOp>(op)) {
        kernel(fused, depth);
      } else if (auto repeat = llvm::dyn_cast<model::RepeatOp>(op)) {
        loop(repeat, depth);
      } else {
        Nodes from;
        for (mlir::Value operand : op.getOperands()) {
          const Nodes &made = makers[operand];
          from.insert(made.begin(), made.end());
        }
        for (mlir::Value result : op.getResults())
          makers[result] = from;
      }
    }
  }

  mlir::func::FuncOp function;
  Graph graph;
  llvm::DenseMap<mlir::Value, Nodes> makers;
};

} // namespace

Graph graphOf(mlir::func::FuncOp function) {
  return Reader(function).read();
}

} // namespace weft
