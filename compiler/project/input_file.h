#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"

namespace gpulint {

/// Why a file is an input.
enum class InputOrigin : std::uint8_t {
  named,      ///< On the command line, standard input included.
  walked,     ///< Found in a folder.
  node_list,  ///< By --nodes.
  layer,      ///< By --values.
  declared,   ///< Only gpulint.yaml names it.
};

struct InputFile {
  FileId id = 0;
  InputOrigin origin = InputOrigin::named;
  bool is_blank = false;                 ///< Walked, and nothing in it concerns GPUs.
  bool is_checked = true;                ///< False for files that others are only compared with.
  bool is_referenced = false;            ///< A named kustomization uses it; it is not named itself.
  bool was_found = false;                ///< A search found it, even if it was also named.
  std::vector<std::string> other_names;  ///< Of the same file: links, `./a` for `a`.
  /// What rendered it, an index of Project::rendered.all; nullopt: it was not rendered.
  std::optional<std::size_t> rendered_by = std::nullopt;
  /// Its path from the top of the repository around the named folders. Empty: same as its path.
  std::string place = {};
};

}  // namespace gpulint
