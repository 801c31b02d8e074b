#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace gpulint {

/// What a program says of itself.
struct SelfCheck {
  using Named = std::pair<std::string, std::string>;

  std::string version;           ///< `gpulint 0.1.0 (…)`, as --version prints it.
  std::string build;             ///< Compiler and options.
  std::vector<Named> libraries;  ///< With their versions, empty where unknown.
  std::size_t rules = 0;
  std::size_t categories = 0;
  std::vector<std::string> formats;  ///< Of `check`.
  std::vector<Named> known;          ///< What is modelled, and the releases of it.
  std::string configuration;         ///< The gpulint.yaml in force; empty: none.
  std::string why;                   ///< Why that one, or none.
  std::vector<std::string> errors;   ///< What is wrong with it.
};

void write_self_check(const SelfCheck& check, std::ostream& out);
void write_self_check_json(const SelfCheck& check, std::ostream& out);

}  // namespace gpulint
