#pragma once

#include <string_view>

/// What an SDK has serialised for registration: `pyflyte package`.
namespace gpulint::package {

/// Whether a file is one, by its name: `.pb`, or an archive of them.
[[nodiscard]] inline bool has_name(std::string_view path) {
  return path.ends_with(".pb") || path.ends_with(".tgz") || path.ends_with(".tar.gz");
}

}  // namespace gpulint::package
