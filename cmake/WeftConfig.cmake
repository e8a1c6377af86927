# find_package(Weft): the compiler as Weft::weft, the folder of weft.h as Weft::weft_h, and models as libraries:
#
#   weft_add_library(gpt models/gpt.weft CONFIG small)
#   target_link_libraries(app PRIVATE gpt)
get_filename_component(folder "${CMAKE_CURRENT_LIST_DIR}" REALPATH) # PREFIX/lib/cmake/Weft, where /lib may be a link to /usr/lib
get_filename_component(prefix "${folder}/../../.." ABSOLUTE)
if(NOT TARGET Weft::weft)
  add_executable(Weft::weft IMPORTED)
  set_target_properties(Weft::weft PROPERTIES IMPORTED_LOCATION "${prefix}/bin/weft")
  add_library(Weft::weft_h INTERFACE IMPORTED)
  set_target_properties(Weft::weft_h PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include")
endif()

# weft_add_library(NAME FILE.weft [CONFIG NAME] [WEIGHTS PATH] [OPTIONS …]): the shared library libNAME.so of a model, made again
# when a .weft file beside FILE changes. OPTIONS are further ones of `weft build --shared`.
function(weft_add_library name source)
  cmake_parse_arguments(PARSE_ARGV 2 A "" "CONFIG;WEIGHTS" "OPTIONS")
  if(A_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_add_library(${name}): `${A_UNPARSED_ARGUMENTS}` is none of CONFIG, WEIGHTS, OPTIONS")
  endif()
  get_filename_component(source "${source}" ABSOLUTE)
  get_filename_component(folder "${source}" DIRECTORY)
  file(GLOB used CONFIGURE_DEPENDS "${folder}/*.weft") # what it may `use`
  set(library "${CMAKE_CURRENT_BINARY_DIR}/lib${name}.so")
  set(arguments "${source}" --shared -o "${library}" ${A_OPTIONS})
  if(A_CONFIG)
    list(APPEND arguments --config "${A_CONFIG}")
  endif()
  if(A_WEIGHTS)
    get_filename_component(weights "${A_WEIGHTS}" ABSOLUTE) # of the folder that says it, not of the one that is built in
    list(APPEND arguments --weights "${weights}")
  endif()
  add_custom_command(OUTPUT "${library}" COMMAND Weft::weft build ${arguments} DEPENDS Weft::weft ${used} VERBATIM)
  add_custom_target(${name}_model DEPENDS "${library}")
  add_library(${name} SHARED IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${library}" INTERFACE_LINK_LIBRARIES Weft::weft_h)
  add_dependencies(${name} ${name}_model)
endfunction()
