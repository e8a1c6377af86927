# What an installed Weft is, and the package of it: `cmake --install build --prefix DIR`, `cpack --config build/CPackConfig.cmake`.
# The build tree has the same folders, so that what finds one finds the other.
include(CMakePackageConfigHelpers)
set(package ${PROJECT_BINARY_DIR}/lib/cmake/Weft)
configure_file(${CMAKE_CURRENT_LIST_DIR}/WeftConfig.cmake ${package}/WeftConfig.cmake COPYONLY)
write_basic_package_version_file(${package}/WeftConfigVersion.cmake COMPATIBILITY SameMinorVersion)

set_target_properties(weft weft-opt PROPERTIES INSTALL_RPATH ${LLVM_LIBRARY_DIR}) # Debian's MLIR is in no folder of the loader
install(TARGETS weft weft-opt RUNTIME DESTINATION bin)
install(TARGETS weft_runtime weft_images weft_translation weft_cuda weft_emulator weft_main weft_api ARCHIVE DESTINATION lib/weft)
install(FILES runtime/weft.h DESTINATION include)
install(DIRECTORY ${package} DESTINATION lib/cmake)
install(FILES ${PROJECT_BINARY_DIR}/share/man/man1/weft.1 DESTINATION share/man/man1)
install(FILES LICENSE NOTICES README.md DESTINATION share/doc/weft)
install(DIRECTORY docs/ DESTINATION share/doc/weft/docs FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples/ DESTINATION share/doc/weft/examples FILES_MATCHING PATTERN "*.weft" PATTERN "*.c" PATTERN "*.cpp"
        PATTERN "*.md" PATTERN "CMakeLists.txt")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_CONTACT "the Weft developers <weft@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler for transformers: from a description to one native program")
set(CPACK_PACKAGE_DESCRIPTION "Weft makes native programs of descriptions of transformers with named dimensions. A program
trains, resumes, evaluates and generates on its own.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What programs are linked with: weft brings the linker itself. LLVM is not found by the tool that finds the others, for it follows
# a link of the -dev package's.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libllvm${LLVM_VERSION_MAJOR}, libc6-dev, libstdc++-12-dev | libstdc++-dev, libgcc-12-dev | libgcc-dev")
include(CPack)
