# How lit runs the tests that are text: every .mlir and .test file with a RUN line.
import os

import lit.formats

config.name = "weft"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join(
    [config.weft_tools, config.llvm_tools, os.environ["PATH"]])
config.substitutions.append(("%errors", os.path.join(config.test_source_root, "..", "docs", "errors")))
config.substitutions.append(("%examples", os.path.join(config.test_source_root, "..", "examples")))
