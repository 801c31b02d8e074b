#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace gpulint {

/// What `gpulint self-check` prints.
struct SelfCheck {
  using Named = std::pair<std::string, std::string>;

  std::string version;           ///< `gpulint 0.1.0 (…)`, as --version prints it.
  std::string build;             ///< Compiler and options.
  std::vector<Named> libraries;  ///< With their versions, empty where unknown.
  std::size_t rules = 0;
  std::size_t categories = 0;
  std::vector<std::string> formats;  ///< Of the command `check`.
  std::vector<Named> known;          ///< Modelled software, with its releases.
  std::string configuration;         ///< The gpulint.yaml in force; empty: none.
  std::string why;                   ///< Why this one, or none.
  std::vector<std::string> errors;   ///< Its problems.
};

void write_self_check(const SelfCheck& check, std::ostream& out);
void write_self_check_json(const SelfCheck& check, std::ostream& out);

}  // namespace gpulint
