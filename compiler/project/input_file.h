#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"

namespace gpulint {

/// How a file came among the inputs.
enum class InputOrigin : std::uint8_t {
  named,      ///< On the command line, standard input included.
  walked,     ///< Found in a folder.
  node_list,  ///< By --nodes.
  layer,      ///< By --values.
  declared,   ///< Only by gpulint.yaml, which says that it belongs to a scope.
};

struct InputFile {
  FileId id = 0;
  InputOrigin origin = InputOrigin::named;
  bool is_blank = false;                 ///< Walked, and nothing in it was worth parsing.
  bool is_asked_about = true;            ///< False of files that are only compared with.
  bool is_referenced = false;            ///< By a named kustomization, from outside what was named.
  bool was_found = false;                ///< By a search, whatever then became of it.
  std::vector<std::string> other_names;  ///< Under which it was found again: links, `./a` for `a`.
  /// Its path from the top of the repository around the named folders. Empty: its path as it is.
  std::string place = {};
};

}  // namespace gpulint
