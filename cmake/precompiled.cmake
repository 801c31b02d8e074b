# Headers that most files of a folder include from elsewhere, parsed once for all of them. Files still name every header
# they use: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without and shows whether they do.

# gpulint_precompile(NAME HEADER LIBRARY…): one precompiled header, with the include folders of the libraries.
function(gpulint_precompile name header)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(gpulint_${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(gpulint_${name} PRIVATE gpulint_flags gpulint_fmt ${ARGN})
  target_precompile_headers(gpulint_${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header})
endfunction()

# gpulint_reuse_precompiled(NAME FOLDER): for every target of a folder, and of the folders in it, that has none yet.
function(gpulint_reuse_precompiled name folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(own ${target} PRECOMPILE_HEADERS_REUSE_FROM)
    if(type MATCHES "^(STATIC_LIBRARY|EXECUTABLE)$" AND NOT own AND NOT target STREQUAL "gpulint_fmt")
      target_precompile_headers(${target} REUSE_FROM gpulint_${name})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    gpulint_reuse_precompiled(${name} ${subfolder})
  endforeach()
endfunction()
