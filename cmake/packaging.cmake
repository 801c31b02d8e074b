# What `cmake --install`, the wheel (scikit-build-core sets SKBUILD) and the Debian package (`cpack -G DEB`) hold.
include(GNUInstallDirs)
if(SKBUILD)
  set(bin_dir ${SKBUILD_SCRIPTS_DIR})
  set(share_dir ${SKBUILD_DATA_DIR}/share)
else()
  set(bin_dir ${CMAKE_INSTALL_BINDIR})
  set(share_dir ${CMAKE_INSTALL_DATAROOTDIR})
endif()

install(TARGETS gpulint DESTINATION ${bin_dir} COMPONENT gpulint)
install(FILES ${PROJECT_SOURCE_DIR}/docs/gpulint.1 DESTINATION ${share_dir}/man/man1 COMPONENT gpulint)

# kubectl looks for these names. A wheel holds no links.
foreach(name IN ITEMS kubectl-gpulint kubectl_complete-gpulint)
  if(SKBUILD)
    install(PROGRAMS ${PROJECT_SOURCE_DIR}/packaging/kubectl-gpulint DESTINATION ${bin_dir} RENAME ${name} COMPONENT gpulint)
  else()
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/links)
    file(CREATE_LINK gpulint ${PROJECT_BINARY_DIR}/links/${name} SYMBOLIC)
    install(FILES ${PROJECT_BINARY_DIR}/links/${name} DESTINATION ${bin_dir} COMPONENT gpulint)
  endif()
endforeach()

# The program prints its own completions, so they are made once it is built, if it runs here.
if(NOT CMAKE_CROSSCOMPILING)
  set(completions ${PROJECT_BINARY_DIR}/completions)
  add_custom_command(TARGET gpulint POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DGPULINT=$<TARGET_FILE:gpulint> -DFOLDER=${completions}
            -P ${PROJECT_SOURCE_DIR}/cmake/write_completions.cmake
    VERBATIM)
  install(FILES ${completions}/gpulint DESTINATION ${share_dir}/bash-completion/completions COMPONENT gpulint)
  install(FILES ${completions}/_gpulint DESTINATION ${share_dir}/zsh/vendor-completions COMPONENT gpulint)
  install(FILES ${completions}/gpulint.fish DESTINATION ${share_dir}/fish/vendor_completions.d COMPONENT gpulint)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gpulint)
set(CPACK_PACKAGE_CONTACT "gpulint maintainers <noreply@gpulint.dev>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "linter for GPU access configuration on Kubernetes and Flyte")
set(CPACK_PACKAGE_DESCRIPTION "Finds why GPU pods stay pending before the merge: reads Flyte Helm values, rendered
manifests and node pools, compiles the pods that Flyte would create, places them by the
scheduler's own rules, and points at the line that keeps them off the GPU.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${GPULINT_HOMEPAGE})
set(CPACK_DEBIAN_PACKAGE_SUGGESTS git)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL gpulint)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_STRIP_FILES ON)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libc6)
endif()
include(CPack)
