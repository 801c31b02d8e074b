#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/python.h"

namespace gpulint::flyte {

class PythonScope;

/// What an expression comes to, as far as imports and assignments say. None of the first three:
/// nobody knows.
struct PythonMeaning {
  std::string name;                           ///< Of what was imported: `flytekit.Resources`.
  const python::Expression* value = nullptr;  ///< What is no name.
  const python::Statement* local = nullptr;   ///< A function or class of this source.
  const PythonScope* scope = nullptr;         ///< Where the parts of value or local are looked up.
};

/// The names of a module or a function: what each was given once, whatever happens. A name that is
/// given two things, or one on a condition only, means nothing; an import counts on any condition.
class PythonScope {
 public:
  /// `statements` and `outer` must outlive the scope; `outer` may be null.
  PythonScope(const std::vector<python::Statement>& statements,
              const std::vector<std::string>& parameters, const PythonScope* outer);

  [[nodiscard]] PythonMeaning meaning(const python::Expression& expression) const;
  /// The text of a string, put together of constants where it is; nullopt of anything else.
  [[nodiscard]] std::optional<std::string> text(const python::Expression& expression) const;

 private:
  struct Name {
    PythonMeaning meaning;
    bool is_clear = true;
  };

  void add(const python::Statement& statement);
  void give(const std::string& name, PythonMeaning meaning, bool is_clear);
  [[nodiscard]] PythonMeaning meaning(const python::Expression& expression, int steps) const;
  [[nodiscard]] PythonMeaning look_up(std::string_view name, int steps) const;
  [[nodiscard]] PythonMeaning member(const PythonMeaning& of, const std::string& name,
                                     int steps) const;
  [[nodiscard]] std::optional<std::string> text(const python::Expression& expression,
                                                int steps) const;

  const PythonScope* outer_;
  std::map<std::string, Name, std::less<>> names_;
};

/// An argument of a call, and where its names are looked up.
struct PythonArgument {
  std::string keyword;
  python::Word word;  ///< The keyword's place; empty text where there is none.
  const python::Expression* value = nullptr;
  const PythonScope* scope = nullptr;
};

/// The arguments of a call, those by position under the names of `parameters`; `**name` of a dict
/// of constants is taken apart. nullopt: not all of them are known.
[[nodiscard]] std::optional<std::vector<PythonArgument>> python_arguments(
    const python::Expression& call, const PythonScope& scope,
    std::initializer_list<std::string_view> parameters);

/// The last argument of the name; null where there is none, or `None`.
[[nodiscard]] const PythonArgument* find_argument(const std::vector<PythonArgument>& arguments,
                                                  std::string_view keyword);

}  // namespace gpulint::flyte
