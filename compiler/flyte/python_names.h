#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/span.h"
#include "compiler/ir/document.h"
#include "compiler/ir/python.h"

namespace gpulint::flyte {

/// A Python value as YAML would have it. It becomes a node of a Document with the span of the
/// Python text.
struct PythonTree {
  NodeKind kind = NodeKind::mapping;
  Style style = Style::flow;
  bool opaque = false;
  Span span;
  std::string text;               ///< For a scalar.
  std::vector<PythonTree> parts;  ///< Items; for a mapping, keys and values in turn.

  void add(std::string key, Span place, PythonTree value);
  /// The value of a key; null if there is none.
  [[nodiscard]] const PythonTree* find(std::string_view key) const;
  [[nodiscard]] PythonTree* find(std::string_view key);
};

/// A scalar with this text: a quoted string, or a plain number.
[[nodiscard]] PythonTree python_scalar(std::string text, Span span, Style style);
[[nodiscard]] PythonTree python_mapping(Span span);
/// An unknown value.
[[nodiscard]] PythonTree python_unknown(Span span);

/// A document with the tree as its root; parts from other files have the place where they are used.
[[nodiscard]] std::unique_ptr<Document> make_document(const PythonTree& tree, FileId file,
                                                      Span whole);

class PythonScope;

/// The user's own modules that sources among the inputs import.
class PythonModules {
 public:
  PythonModules() = default;
  PythonModules(const PythonModules&) = delete;
  PythonModules& operator=(const PythonModules&) = delete;
  virtual ~PythonModules() = default;

  /// The module that `from` imports as `module`, with this many dots; null if it is not certain. It
  /// lives as long as this object.
  [[nodiscard]] virtual const PythonScope* find(FileId from, std::uint32_t dots,
                                                std::string_view module) = 0;
};

/// The meaning of an expression according to imports and assignments. If the first four fields are
/// empty, it is unknown.
struct PythonMeaning {
  std::string name;                           ///< Of an imported name: `flytekit.Resources`.
  const python::Expression* value = nullptr;  ///< An expression that is not a name.
  const python::Statement* local = nullptr;   ///< A function or class of this source.
  const PythonScope* module = nullptr;        ///< One of the user's modules.
  const PythonScope* scope = nullptr;         ///< The scope for names in value or local.
};

struct PythonArgument;

/// The names of a module, a class or a function. A name that is set in one place has that meaning.
/// A name that is set several times has the last meaning before its use, if all of them are in its
/// own block. A name that a method or another function may change is unknown. A call of a function
/// that only sets names and returns has the meaning of the returned expression.
class PythonScope {
 public:
  /// The scope of a module; both must outlive the scope. `modules` may be null.
  PythonScope(const python::Module& module, PythonModules* modules);
  /// The scope of a class or a function in `outer`, for any caller; all must outlive the scope.
  PythonScope(const python::Statement& declaration, const PythonScope& outer);
  PythonScope(const PythonScope&) = delete;
  PythonScope& operator=(const PythonScope&) = delete;
  ~PythonScope();

  [[nodiscard]] PythonMeaning meaning(const python::Expression& expression) const;
  /// The result of a function of this scope, for any arguments.
  [[nodiscard]] PythonMeaning result_of(const python::Statement& function) const;
  /// Every value that the expression may have: of both branches of an `if`, one if there is no
  /// choice. Empty if one of them is unknown.
  [[nodiscard]] std::vector<PythonMeaning> choices(const python::Expression& expression) const;
  /// The text of a string, also if constants form it; nullopt for anything else.
  [[nodiscard]] std::optional<std::string> text(const python::Expression& expression) const;
  /// A whole number, also if constants form it; nullopt for anything else.
  [[nodiscard]] std::optional<std::int64_t> number(const python::Expression& expression) const;
  [[nodiscard]] bool is_none(const python::Expression& expression) const;
  /// The variable if the expression, found by meaning(), is the default of one: `"2"` of
  /// `os.environ.get("GPUS", "2")`. Else empty.
  [[nodiscard]] std::string variable_of_default(const python::Expression& expression) const;

 private:
  /// A meaning that a name receives in one place.
  struct Given {
    PythonMeaning meaning;
    const python::Statement* import = nullptr;  ///< The import that sets it; null for other
                                                ///< statements.
    bool is_conditional = false;                ///< A star import may set another meaning.
    std::uint32_t end = 0;                      ///< The byte after it.
  };
  struct Name {
    std::vector<Given> given;
    bool is_changed = false;
  };

  /// The scope of a call, by `caller`, of a function in `outer`.
  PythonScope(const python::Statement& function, const PythonScope& outer,
              const python::Expression& call, const PythonScope& caller);

  void add(const python::Statement& statement);
  void bind(const python::Statement& function, const python::Expression& call,
            const PythonScope& caller);
  void bind_rest(const std::string& name, const std::vector<PythonArgument>& rest,
                 const PythonScope& caller);
  void note_changed(const std::vector<python::Statement>& statements, bool is_own);
  void note_changed(const python::Expression& within);
  void note_handed_over(const python::Expression& call);
  [[nodiscard]] bool is_own_type(const python::Expression& callee) const;
  [[nodiscard]] std::string written_name(const python::Expression& expression) const;
  [[nodiscard]] static const Given* choose(const Name& name, std::optional<Span> at);
  [[nodiscard]] PythonMeaning imported(const Given& name, int steps) const;
  [[nodiscard]] PythonMeaning meaning(const python::Expression& expression, int steps) const;
  [[nodiscard]] PythonMeaning look_up(std::string_view name, std::optional<Span> at,
                                      int steps) const;
  [[nodiscard]] PythonMeaning member(const PythonMeaning& of, const std::string& name,
                                     int steps) const;
  [[nodiscard]] PythonMeaning item(const PythonMeaning& of, const python::Expression& key,
                                   int steps) const;
  [[nodiscard]] const PythonScope& inside(const python::Statement& declaration) const;
  [[nodiscard]] const PythonScope& root() const;
  [[nodiscard]] PythonMeaning called(const python::Expression& call, int steps) const;
  [[nodiscard]] PythonMeaning starred(std::string_view name, int steps) const;
  [[nodiscard]] PythonMeaning default_of(const python::Expression& call, int steps) const;
  [[nodiscard]] bool is_dataclass(const python::Expression& decorator, int steps) const;
  [[nodiscard]] PythonMeaning field(const PythonMeaning& of, const std::string& name,
                                    int steps) const;
  [[nodiscard]] PythonMeaning enumerated(const python::Expression& member, int steps) const;
  [[nodiscard]] PythonMeaning constant(const python::Statement& of, const std::string& name,
                                       int steps) const;
  [[nodiscard]] PythonMeaning class_member(const python::Statement& of, const std::string& name,
                                           int steps) const;
  [[nodiscard]] std::optional<std::string> text(const python::Expression& expression,
                                                int steps) const;
  [[nodiscard]] std::optional<std::string> text_of_call(const PythonMeaning& call, int steps) const;
  [[nodiscard]] std::optional<std::int64_t> number(const python::Expression& expression,
                                                   int steps) const;
  [[nodiscard]] bool add_choices(const python::Expression& expression, int steps,
                                 std::vector<PythonMeaning>& into) const;
  [[nodiscard]] bool add_given(std::string_view name, Span at, int steps,
                               std::vector<PythonMeaning>& into) const;

  const PythonScope* outer_ = nullptr;
  PythonModules* modules_ = nullptr;
  FileId file_ = 0;
  std::map<std::string, Name, std::less<>> names_;
  std::vector<const python::Statement*> stars_;  // `from module import *`
  bool has_open_values_ = false;                 // `globals()["N"] = …`
  std::deque<python::Expression> made_;          // values of `**rest`, changed environments
  int depth_ = 0;                                // of calls within calls
  mutable int calls_ = 0;                        // of a module
  mutable int folds_ = 0;                        // of a module: texts and numbers formed
  mutable std::map<const python::Expression*, std::string>
      defaults_;  // of a module: their variables
  mutable std::map<const void*, std::unique_ptr<const PythonScope>> inner_;  // calls and classes
};

/// An argument of a call, with the scope for its names.
struct PythonArgument {
  std::string keyword;
  python::Word word;  ///< The keyword's place; empty text if there is none.
  const python::Expression* value = nullptr;
  const PythonScope* scope = nullptr;
};

using PythonArguments = std::vector<PythonArgument>;

/// The arguments of a call; positional ones have the names of `parameters`. `**name` of a constant
/// dict is expanded. nullopt: some are unknown.
[[nodiscard]] std::optional<PythonArguments> python_arguments(
    const python::Expression& call, const PythonScope& scope,
    std::span<const std::string_view> parameters);
[[nodiscard]] inline std::optional<PythonArguments> python_arguments(
    const python::Expression& call, const PythonScope& scope,
    std::initializer_list<std::string_view> parameters) {
  return python_arguments(call, scope, std::span(parameters.begin(), parameters.size()));
}

/// The last argument with this name; null if there is none, or if it is `None`.
[[nodiscard]] const PythonArgument* find_argument(const PythonArguments& arguments,
                                                  std::string_view keyword);

}  // namespace gpulint::flyte
