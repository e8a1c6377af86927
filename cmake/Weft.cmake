# The three shapes a target of this project has: a dialect, a library, a unit test.

# weft_dialect(Model KINDS Dialect Typedef Attrdef Enum Op): tablegen for Model.td beside it. Its page is written by docs/.
function(weft_dialect name)
  cmake_parse_arguments(A "" "" "KINDS" ${ARGN})
  string(TOLOWER ${name} mnemonic)
  set(LLVM_TARGET_DEFINITIONS ${name}.td)
  list(APPEND MLIR_TABLEGEN_FLAGS -I${PROJECT_SOURCE_DIR})
  foreach(kind ${A_KINDS})
    string(TOLOWER ${kind} k)
    set(args "")
    if(kind STREQUAL "Dialect")
      set(args -dialect=${mnemonic})
    elseif(kind STREQUAL "Typedef")
      set(args -typedefs-dialect=${mnemonic})
    elseif(kind STREQUAL "Attrdef")
      set(args -attrdefs-dialect=${mnemonic})
    elseif(kind STREQUAL "AttrInterface")
      set(k attr-interface)
    endif()
    mlir_tablegen(${name}${kind}.h.inc -gen-${k}-decls ${args})
    mlir_tablegen(${name}${kind}.cpp.inc -gen-${k}-defs ${args})
  endforeach()
  add_public_tablegen_target(Weft${name}IncGen)
endfunction()

# weft_library(WeftModel [SOURCES …] [FOLDERS …] USES … [GENERATED …] [MLIR]): a static library of these sources and of all in these
# folders; of neither, of all sources in this folder and below it. USES is the layering.
# MLIR: the sources include MLIR, so they share the one precompiled header.
function(weft_library name)
  cmake_parse_arguments(A "MLIR" "" "SOURCES;FOLDERS;USES;GENERATED" ${ARGN})
  if(A_FOLDERS)
    list(TRANSFORM A_FOLDERS APPEND "/*.cpp")
    file(GLOB found RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${A_FOLDERS})
    list(APPEND A_SOURCES ${found})
  elseif(NOT A_SOURCES)
    file(GLOB_RECURSE A_SOURCES RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
  endif()
  add_library(${name} STATIC ${A_SOURCES})
  target_compile_options(${name} PRIVATE -fno-exceptions -Wall -Wextra -Wno-unused-parameter)
  target_link_libraries(${name} PUBLIC ${A_USES})
  if(A_MLIR)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
    target_precompile_headers(${name} REUSE_FROM WeftPrecompiled)
  endif()
  if(A_GENERATED)
    add_dependencies(${name} ${A_GENERATED})
  endif()
endfunction()

# What runs on several threads at once, for ThreadSanitizer: `./dev test --preset tsan` builds this target and runs the label `threads`.
add_custom_target(threaded)

# weft_unit(LexerTest SOURCES … USES … [MLIR] [THREADS]): a GoogleTest binary, registered with CTest under the label `unit`. Tests
# with parameters go by the names that the suite gives them.
# MLIR: the sources include MLIR, so they share the one precompiled header. THREADS: the label is `unit-threads`, which `-L unit`
# and `-L threads` both take, as expressions; a list of labels does not get through gtest_discover_tests.
include(GoogleTest)
function(weft_unit name)
  cmake_parse_arguments(A "MLIR;THREADS" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE ${A_USES} GTest::gtest_main)
  if(A_MLIR)
    # The header was compiled with -fPIC; an executable's own -fPIE would not match it.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC -fno-exceptions -Wall -Wextra -Wno-unused-parameter)
    target_precompile_headers(${name} REUSE_FROM WeftPrecompiled)
  endif()
  set(label unit)
  if(A_THREADS)
    set(label unit-threads)
    add_dependencies(threaded ${name})
  endif()
  gtest_discover_tests(${name} NO_PRETTY_VALUES PROPERTIES LABELS ${label} DISCOVERY_TIMEOUT 60)
endfunction()
