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

/// A value that was written in Python, as YAML would hold it: becomes a node of a Document whose
/// span is that of the Python.
struct PythonTree {
  NodeKind kind = NodeKind::mapping;
  Style style = Style::flow;
  bool opaque = false;
  Span span;
  std::string text;               ///< Of a scalar.
  std::vector<PythonTree> parts;  ///< Items; of a mapping keys and values in turn.

  void add(std::string key, Span place, PythonTree value);
  /// The value of a key; null where there is none.
  [[nodiscard]] const PythonTree* find(std::string_view key) const;
  [[nodiscard]] PythonTree* find(std::string_view key);
};

/// `text` as a string is written in quotes, or, plain, as a number is.
[[nodiscard]] PythonTree python_scalar(std::string text, Span span, Style style);
[[nodiscard]] PythonTree python_mapping(Span span);
/// What nobody knows.
[[nodiscard]] PythonTree python_unknown(Span span);

/// A document with the tree as its root; its parts of other files stand where they are used.
[[nodiscard]] std::unique_ptr<Document> make_document(const PythonTree& tree, FileId file,
                                                      Span whole);

class PythonScope;

/// The user's own modules, as far as sources among the inputs import them.
class PythonModules {
 public:
  PythonModules() = default;
  PythonModules(const PythonModules&) = delete;
  PythonModules& operator=(const PythonModules&) = delete;
  virtual ~PythonModules() = default;

  /// What `from` imports as `module`, behind as many dots; null where nobody knows it for certain.
  /// It lives as long as this.
  [[nodiscard]] virtual const PythonScope* find(FileId from, std::uint32_t dots,
                                                std::string_view module) = 0;
};

/// What an expression comes to, as far as imports and assignments say. None of the first four:
/// nobody knows.
struct PythonMeaning {
  std::string name;                           ///< Of what was imported: `flytekit.Resources`.
  const python::Expression* value = nullptr;  ///< What is no name.
  const python::Statement* local = nullptr;   ///< A function or class of this source.
  const PythonScope* module = nullptr;        ///< One of the user's own.
  const PythonScope* scope = nullptr;         ///< Where the parts of value or local are looked up.
};

struct PythonArgument;

/// The names of a module, a class or a function: what each is given in one place, which is what it
/// means wherever it means anything. A name that is given several things means the last one before
/// it, if all of them stand side by side in its own block. One that a method or another function
/// may change means nothing. Calls of functions that only name things and return are what these
/// return.
class PythonScope {
 public:
  /// Of a module; both must outlive the scope. `modules` may be null.
  PythonScope(const python::Module& module, PythonModules* modules);
  /// Of a class or a function in `outer`, whoever calls it; all must outlive the scope.
  PythonScope(const python::Statement& declaration, const PythonScope& outer);
  PythonScope(const PythonScope&) = delete;
  PythonScope& operator=(const PythonScope&) = delete;
  ~PythonScope();

  [[nodiscard]] PythonMeaning meaning(const python::Expression& expression) const;
  /// What a function of this scope returns, whatever it is called with.
  [[nodiscard]] PythonMeaning result_of(const python::Statement& function) const;
  /// The text of a string, put together of constants where it is; nullopt of anything else.
  [[nodiscard]] std::optional<std::string> text(const python::Expression& expression) const;
  [[nodiscard]] bool is_none(const python::Expression& expression) const;

 private:
  /// What a name is given in one place.
  struct Given {
    PythonMeaning meaning;
    const python::Statement* import = nullptr;  ///< That gives it; null: another statement does.
    bool is_conditional = false;                ///< What a star imports may stand instead.
    std::uint32_t end = 0;                      ///< The byte behind it.
  };
  struct Name {
    std::vector<Given> given;
    bool is_changed = false;
  };

  /// Of a call of a function in `outer`, that `caller` makes.
  PythonScope(const python::Statement& function, const PythonScope& outer,
              const python::Expression& call, const PythonScope& caller);

  void add(const python::Statement& statement);
  void bind(const python::Statement& function, const python::Expression& call,
            const PythonScope& caller);
  void bind_rest(const std::string& name, const std::vector<PythonArgument>& rest,
                 const PythonScope& caller);
  void note_changed(const std::vector<python::Statement>& statements);
  void note_changed(const python::Expression& within);
  void note_handed_over(const python::Expression& call);
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
  [[nodiscard]] PythonMeaning class_member(const python::Statement& of, const std::string& name,
                                           int steps) const;
  [[nodiscard]] std::optional<std::string> text(const python::Expression& expression,
                                                int steps) const;

  const PythonScope* outer_ = nullptr;
  PythonModules* modules_ = nullptr;
  FileId file_ = 0;
  std::map<std::string, Name, std::less<>> names_;
  std::vector<const python::Statement*> stars_;  // `from module import *`
  bool has_open_values_ = false;                 // `globals()["N"] = …`
  std::deque<python::Expression> made_;          // what `**rest` is called with
  int depth_ = 0;                                // of calls within calls
  mutable int calls_ = 0;                        // of a module
  mutable std::map<const void*, std::unique_ptr<const PythonScope>> inner_;  // calls and classes
};

/// An argument of a call, and where its names are looked up.
struct PythonArgument {
  std::string keyword;
  python::Word word;  ///< The keyword's place; empty text where there is none.
  const python::Expression* value = nullptr;
  const PythonScope* scope = nullptr;
};

using PythonArguments = std::vector<PythonArgument>;

/// The arguments of a call, those by position under the names of `parameters`; `**name` of a dict
/// of constants is taken apart. nullopt: not all of them are known.
[[nodiscard]] std::optional<PythonArguments> python_arguments(
    const python::Expression& call, const PythonScope& scope,
    std::span<const std::string_view> parameters);
[[nodiscard]] inline std::optional<PythonArguments> python_arguments(
    const python::Expression& call, const PythonScope& scope,
    std::initializer_list<std::string_view> parameters) {
  return python_arguments(call, scope, std::span(parameters.begin(), parameters.size()));
}

/// The last argument of the name; null where there is none, or `None`.
[[nodiscard]] const PythonArgument* find_argument(const PythonArguments& arguments,
                                                  std::string_view keyword);

}  // namespace gpulint::flyte
