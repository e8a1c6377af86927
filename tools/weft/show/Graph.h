// A model's graph as people draw it: what is computed, in order, and what flows where.
#ifndef WEFT_TOOLS_WEFT_SHOW_GRAPH_H
#define WEFT_TOOLS_WEFT_SHOW_GRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace weft {

/// A kernel, an argument or a result.
struct GraphNode {
  std::string kind;             ///< a family of kernels, "input" or "output"
  std::string name;             ///< as in the source
  std::string details;          ///< what it computes
  std::string shape;            ///< of its first result
  std::string weights;          ///< parameters that it reads
  unsigned depth = 0;           ///< loops around it
  std::vector<unsigned> inputs; ///< the nodes whose values it reads, each once
};

/// A loop, around the nodes [first, last].
struct GraphLoop {
  std::string name;
  unsigned first, last, depth;
};

struct Graph {
  std::vector<GraphNode> nodes;
  std::vector<GraphLoop> loops;
};

/// The graph of a function at the stage `fused`. Views are not shown: who reads one reads what it
/// is a view of. Inside a loop, what the pass before left is read as what came in.
Graph graphOf(mlir::func::FuncOp function);

/// The graph as self-contained SVG: nodes below each other, loops as frames, what does not flow to
/// the next node as an arc at the right.
std::string drawGraph(const Graph &graph, const std::string &title);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_SHOW_GRAPH_H
