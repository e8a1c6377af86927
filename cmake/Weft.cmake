# The shapes a target of this project has: a dialect, a precompiled header, a library, a unit test.

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

# weft_headers(WeftModelHeaders ir/PrecompiledModel.h [OPTIONS …]): a header precompiled once for the targets that come behind it. Its
# options are theirs: a header that was compiled by others does not fit.
function(weft_headers name header)
  cmake_parse_arguments(A "" "" "OPTIONS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
  target_compile_options(${name} PRIVATE ${A_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/${header})
endfunction()

# The options of every library, and of the headers precompiled for those that include MLIR.
set(WEFT_OPTIONS -fno-exceptions -Wall -Wextra -Wno-unused-parameter)

# Gives a target whose sources include MLIR the largest header precompiled so far: a translation unit takes 1.5 s instead of 6.
function(weft_with_mlir name)
  foreach(headers WeftCompilerTestHeaders WeftCodegenHeaders WeftModelHeaders WeftMlirHeaders)
    if(TARGET ${headers})
      target_precompile_headers(${name} REUSE_FROM ${headers})
      return()
    endif()
  endforeach()
endfunction()

# An executable whose header was compiled with -fPIC: its own -fPIE would not match.
function(weft_position_independent name)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
endfunction()

# weft_library(WeftModel [SOURCES …] [FOLDERS …] USES … [GENERATED …] [MLIR]): a static library of these sources and of all in these
# folders; of neither, of all sources in this folder and below it. USES is the layering. MLIR: the sources include MLIR.
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
  target_compile_options(${name} PRIVATE ${WEFT_OPTIONS})
  target_link_libraries(${name} PUBLIC ${A_USES})
  if(A_MLIR)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
    weft_with_mlir(${name})
  endif()
  if(A_GENERATED)
    add_dependencies(${name} ${A_GENERATED})
  endif()
endfunction()

# What runs on several threads at once, for ThreadSanitizer: `./dev test --preset tsan` builds this target and runs the label `threads`.
add_custom_target(threaded)

# A GoogleTest binary, which CTest does not know yet. MLIR: the sources include MLIR.
function(weft_test_binary name)
  cmake_parse_arguments(A "MLIR" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE ${A_USES} GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${WEFT_OPTIONS})
  weft_position_independent(${name})
  if(A_MLIR)
    weft_with_mlir(${name})
  else()
    target_precompile_headers(${name} REUSE_FROM WeftTestHeaders)
  endif()
endfunction()

# weft_unit(LexerTest SOURCES … USES … [MLIR] [THREADS] [LABEL record]): one that is registered under the label `unit` or another. Tests
# with parameters go by the names that the suite gives them. THREADS: the label is `unit-threads`, which `-L unit` and `-L threads`
# both take, as expressions; a list of labels does not get through gtest_discover_tests.
include(GoogleTest)
function(weft_unit name)
  cmake_parse_arguments(A "MLIR;THREADS" "LABEL" "SOURCES;USES" ${ARGN})
  if(A_MLIR)
    set(mlir MLIR)
  endif()
  weft_test_binary(${name} ${mlir} SOURCES ${A_SOURCES} USES ${A_USES})
  set(label unit)
  if(A_LABEL)
    set(label ${A_LABEL})
  elseif(A_THREADS)
    set(label unit-threads)
  endif()
  if(A_THREADS)
    add_dependencies(threaded ${name})
  endif()
  gtest_discover_tests(${name} NO_PRETTY_VALUES PROPERTIES LABELS ${label} DISCOVERY_TIMEOUT 60)
endfunction()
