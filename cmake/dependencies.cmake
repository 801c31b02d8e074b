# Third-party libraries under one name each, static where the platform ships an archive and
# GPULINT_STATIC asks for it. RE2 of Debian 12 has no CMake package, so it is found by file name.
find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
if(GPULINT_STATIC)
  find_library(RE2_LIBRARY NAMES libre2.a re2 REQUIRED)
  find_library(GPULINT_YAML_CPP_LIBRARY NAMES libyaml-cpp.a yaml-cpp REQUIRED)
  find_library(ZLIB_LIBRARY NAMES libz.a z REQUIRED)
else()
  find_library(RE2_LIBRARY NAMES re2 REQUIRED)
  set(GPULINT_YAML_CPP_LIBRARY yaml-cpp)
endif()

add_library(gpulint_re2 INTERFACE)
target_include_directories(gpulint_re2 SYSTEM INTERFACE ${RE2_INCLUDE_DIR})
target_link_libraries(gpulint_re2 INTERFACE ${RE2_LIBRARY} Threads::Threads)

find_package(ZLIB REQUIRED)
add_library(gpulint_zlib INTERFACE)
target_link_libraries(gpulint_zlib INTERFACE ZLIB::ZLIB)

add_library(gpulint_yaml_cpp INTERFACE)
target_link_libraries(gpulint_yaml_cpp INTERFACE ${GPULINT_YAML_CPP_LIBRARY})

# Debian ships fmt's headers and a shared library; compiled once here it needs neither that nor to be compiled in each file.
add_library(gpulint_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
target_include_directories(gpulint_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
