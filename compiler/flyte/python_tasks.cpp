#include "compiler/flyte/python_tasks.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/python_entry.h"
#include "compiler/flyte/python_keywords.h"
#include "compiler/flyte/python_names.h"
#include "compiler/flyte/python_use.h"

namespace gpulint::flyte {
namespace {

using python::Expression;
using python::Statement;
/// Limit of nested partials and clones.
constexpr int max_decorator_steps = 8;

void add_arguments(const Expression& call, const PythonScope& scope,
                   std::initializer_list<std::string_view> parameters, PythonDeclaration& into) {
  auto arguments = python_arguments(call, scope, parameters);
  if (!arguments) {
    into.is_open = true;
  } else {
    std::ranges::move(*arguments, std::back_inserter(into.arguments));
  }
}

/// The same of a call that makes a task, and remarks on keywords that it does not have.
void add_task_arguments(const Expression& call, const PythonScope& scope, PythonDeclaration& into) {
  add_arguments(call, scope, {"<function>"}, into);
  note_task_keywords(call, into.sdk, false, into.remarks);
}

/// Adds the changed arguments of a copy; `None` keeps the value.
void add_changes(const Expression& call, const PythonScope& scope,
                 std::initializer_list<std::string_view> parameters, PythonDeclaration& into) {
  const std::size_t before = into.arguments.size();
  add_arguments(call, scope, parameters, into);
  const auto [first, last] = std::ranges::remove_if(
      into.arguments.begin() + static_cast<std::ptrdiff_t>(before), into.arguments.end(),
      [](const PythonArgument& each) { return each.scope->is_none(*each.value); });
  into.arguments.erase(first, last);
}

[[nodiscard]] std::optional<PythonDeclaration> read_environment(const Expression& written,
                                                                const PythonScope& scope,
                                                                int steps);

/// The decorators that make a task of a function: `task`, `env.task`, a partial of them, each with
/// or without arguments, and functions that pass theirs to one.
[[nodiscard]] std::optional<PythonDeclaration> read_decorator(const Expression& written,
                                                              const PythonScope& scope, int steps) {
  static constexpr std::array<std::string_view, 3> decorators = {"task", "dynamic", "eager"};
  if (steps <= 0) return std::nullopt;
  PythonMeaning meaning = scope.meaning(written);
  const auto is_named = [&](std::string_view name) { return is_sdk_member(meaning, name); };
  if (sdk_of(meaning.name) == PythonSdk::flytekit && std::ranges::any_of(decorators, is_named)) {
    return PythonDeclaration();
  }
  if (meaning.local != nullptr && meaning.scope != nullptr) {
    // `def gpu_task(fn): return task(…)(fn)`
    meaning = meaning.scope->result_of(*meaning.local);
    const bool is_call = meaning.value != nullptr && meaning.value->is(Expression::Kind::call);
    if (!is_call || meaning.value->parts.size() != 2) return std::nullopt;
    return read_decorator(meaning.value->parts[0], *meaning.scope, steps - 1);
  }
  if (meaning.value == nullptr) return std::nullopt;
  const Expression& value = *meaning.value;
  if (value.is(Expression::Kind::attribute) && value.text == "task") {
    return read_environment(value.parts[0], *meaning.scope, steps - 1);
  }
  if (!value.is(Expression::Kind::call)) return std::nullopt;
  const bool is_partial =
      value.parts.size() > 1 && meaning.scope->meaning(value.parts[0]).name == "functools.partial";
  auto made = read_decorator(value.parts[is_partial ? 1 : 0], *meaning.scope, steps - 1);
  // Its first argument is the function, or of a partial the decorator itself.
  if (made) add_task_arguments(value, *meaning.scope, *made);
  return made;
}

/// The arguments of an environment: `TaskEnvironment(…)`, `env.clone_with(…)`.
[[nodiscard]] std::optional<PythonDeclaration> read_environment(const Expression& written,
                                                                const PythonScope& scope,
                                                                int steps) {
  const PythonMeaning meaning = scope.meaning(written);
  if (steps <= 0 || meaning.value == nullptr) return std::nullopt;
  const Expression& call = *meaning.value;
  if (!call.is(Expression::Kind::call)) return std::nullopt;
  std::optional<PythonDeclaration> made;
  if (is_call_of(meaning, "ActorEnvironment")) {
    made.emplace();
  } else if (is_call_of(meaning, "TaskEnvironment") ||
             is_call_of(meaning, "ClusteredTaskEnvironment")) {
    made.emplace().sdk = PythonSdk::flyte2;
  } else if (call.parts[0].is(Expression::Kind::attribute) && call.parts[0].text == "clone_with") {
    made = read_environment(call.parts[0].parts[0], *meaning.scope, steps - 1);
    if (made) add_changes(call, *meaning.scope, {"name"}, *made);
    return made;
  }
  if (!made) return std::nullopt;
  add_arguments(call, *meaning.scope, {"name"}, *made);
  note_task_keywords(call, made->sdk, true, made->remarks);
  return made;
}

[[nodiscard]] std::optional<PythonDeclaration> read_decoration(const Expression& decorator,
                                                               const PythonScope& scope) {
  return read_decorator(decorator, scope, max_decorator_steps);
}

/// Reads a module with its functions, and keeps the scopes for names.
class TaskFinder {
 public:
  TaskFinder(const python::Module& module, PythonModules* modules, bool is_test)
      : is_test_(is_test) {
    enter(module.statements, std::make_unique<PythonScope>(module, modules), false);
    for (const Visit& visit : visits_) find_tasks(visit);
    for (const Visit& visit : visits_) {
      for (const Statement& each : *visit.statements) find_called(each.value, *visit.scope);
    }
    for (std::size_t i = 0; i < visits_.size(); ++i) find_variants(visits_[i]);
  }

  [[nodiscard]] const std::vector<PythonTask>& tasks() const { return tasks_; }

  /// Calls that configure GPUs, in order.
  [[nodiscard]] std::vector<Span> gpu_calls() const {
    std::vector<Span> calls;
    for (const Visit& visit : visits_) add_gpu_calls_of(*visit.statements, *visit.scope, calls);
    std::ranges::sort(calls);
    return calls;
  }

  /// The expressions that the tasks are read from.
  [[nodiscard]] PythonUse use() const {
    PythonUse use;
    const auto add = [&](const PythonArguments& arguments) {
      for (const PythonArgument& each : arguments) {
        // an app that the environment depends on has its own GPUs
        if (each.keyword != "depends_on") use.add(*each.value, *each.scope);
      }
    };
    for (const PythonTask& task : tasks_) {
      add(task.declaration.arguments);
      if (task.overrides != nullptr) add(*task.overrides);
    }
    return use;
  }

 private:
  struct Visit {
    const std::vector<Statement>* statements;
    const PythonScope* scope;
    bool is_function;
  };

  void enter(const std::vector<Statement>& statements, std::unique_ptr<const PythonScope> own,
             bool is_function) {
    scopes_.push_back(std::move(own));
    const PythonScope& scope = *scopes_.back();
    visits_.push_back({&statements, &scope, is_function});
    enter_declarations(statements, scope);
  }

  /// Functions, including methods, whose own names are not visible here.
  void enter_declarations(const std::vector<Statement>& statements, const PythonScope& scope) {
    for (const Statement& each : statements) {
      if (each.kind == Statement::Kind::function) {
        enter(each.body, std::make_unique<PythonScope>(each, scope), true);
      } else if (each.kind == Statement::Kind::type) {
        enter_declarations(each.body, scope);
      }
    }
  }

  static void add_gpu_calls_of(const std::vector<Statement>& statements, const PythonScope& scope,
                               std::vector<Span>& calls) {
    for (const Statement& each : statements) {
      for (const Expression& decorator : each.decorators) add_gpu_calls(decorator, scope, calls);
      add_gpu_calls(each.value, scope, calls);
      if (each.kind == Statement::Kind::type) add_gpu_calls_of(each.body, scope, calls);
    }
  }

  void find_tasks(const Visit& visit) {
    for (const Statement& each : *visit.statements) {
      if (each.kind != Statement::Kind::function) continue;
      for (const Expression& decorator : each.decorators) {
        auto declaration = read_decoration(decorator, *visit.scope);
        if (!declaration) continue;
        if (visit.is_function && !is_test_ && &decorator == &each.decorators.back()) {
          note_nested(decorator, *declaration);
        }
        PythonTask task{name_of(*declaration, each), decorator.span, std::move(*declaration)};
        by_function_.emplace(&each, tasks_.size());
        tasks_.push_back(std::move(task));
        break;
      }
    }
  }

  /// flytekit's own resolver finds a task by its name in the module.
  static void note_nested(const Expression& decorator, PythonDeclaration& declaration) {
    const bool has_resolver = find_argument(declaration.arguments, "task_resolver") != nullptr;
    if (declaration.sdk != PythonSdk::flytekit || declaration.is_open || has_resolver) return;
    SdkRemark& remark = declaration.remarks.emplace_back();
    remark.kind = SdkRemark::Kind::nested_task;
    remark.span = decorator.span;
  }

  [[nodiscard]] static std::string name_of(const PythonDeclaration& declaration,
                                           const Statement& task) {
    if (declaration.sdk != PythonSdk::flyte2) return task.name.text;
    const PythonArgument* name = find_argument(declaration.arguments, "name");
    const auto text = name == nullptr ? std::nullopt : name->scope->text(*name->value);
    return text ? *text + "." + task.name.text : task.name.text;
  }

  /// Tasks that calls create: `task(train, …)`, `env.task(train)`, `ContainerTask(…)`.
  void find_called(const Expression& within, const PythonScope& scope) {
    for (const Expression& part : within.parts) find_called(part, scope);
    if (!within.is(Expression::Kind::call) || by_call_.contains(&within)) return;
    auto made = called_task(within, scope);
    if (!made || !seen_.insert(within.span.end).second) return;
    by_call_.emplace(&within, tasks_.size());
    tasks_.push_back(std::move(*made));
  }

  [[nodiscard]] static std::optional<PythonTask> called_task(const Expression& call,
                                                             const PythonScope& scope) {
    const PythonMeaning callee = scope.meaning(call.parts[0]);
    if (is_sdk_member(callee, "ContainerTask") || is_sdk_member(callee, "ShellTask")) {
      PythonDeclaration made;
      made.sdk = sdk_of(callee.name);
      add_arguments(call, scope, {"name"}, made);
      const PythonArgument* name = find_argument(made.arguments, "name");
      const auto text = name == nullptr ? std::nullopt : name->scope->text(*name->value);
      return PythonTask{text.value_or(std::string(call.parts[0].text)), call.span, std::move(made)};
    }
    const bool has_function = call.parts.size() > 1 && call.parts[1].keyword.text.empty();
    if (!has_function) return std::nullopt;
    const Statement* function = scope.meaning(call.parts[1]).local;
    if (function == nullptr || function->kind != Statement::Kind::function) return std::nullopt;
    auto made = read_decorator(call.parts[0], scope, max_decorator_steps);
    if (!made) return std::nullopt;
    add_task_arguments(call, scope, *made);
    return PythonTask{name_of(*made, *function), call.span, std::move(*made)};
  }

  void find_variants(const Visit& visit) {
    for (const Statement& each : *visit.statements) find_variants(each.value, *visit.scope);
  }

  [[nodiscard]] static bool is_override(const Expression& call) {
    const Expression& callee = call.parts[0];
    return callee.is(Expression::Kind::attribute) &&
           (callee.text == "with_overrides" || callee.text == "override");
  }

  void find_variants(const Expression& within, const PythonScope& scope) {
    for (const Expression& part : within.parts) find_variants(part, scope);
    if (!within.is(Expression::Kind::call) || !is_override(within)) return;
    if (!names_own_pods(within)) return;
    auto variant = override_of(within, scope, max_decorator_steps);
    const Expression& callee = within.parts[0];
    if (!variant || !seen_.insert(callee.word.begin).second) return;
    variant->place = join(callee.word, within.span);
    variant->place.begin = callee.word.begin;
    variant->name += "." + callee.text;
    const std::size_t before = variants_[variant->name]++;
    if (before > 0) variant->name += fmt::format("-{}", before + 1);
    tasks_.push_back(std::move(*variant));
  }

  /// The task that `with_overrides` or `override` creates from another.
  [[nodiscard]] std::optional<PythonTask> override_of(const Expression& call,
                                                      const PythonScope& scope, int steps) {
    auto variant = task_of(call.parts[0].parts[0], scope, steps);
    const bool is_flytekit = call.parts[0].text == "with_overrides";
    if (!variant || (variant->declaration.sdk == PythonSdk::flytekit) != is_flytekit) return {};
    note_override_keywords(call, variant->declaration.sdk, variant->declaration.remarks);
    if (!is_flytekit) {
      add_changes(call, scope, {}, variant->declaration);
    } else if (auto arguments = python_arguments(call, scope, {})) {
      if (variant->overrides != nullptr) {
        arguments->insert(arguments->begin(), variant->overrides->begin(),
                          variant->overrides->end());
      }
      overrides_.push_back(std::make_unique<PythonArguments>(std::move(*arguments)));
      variant->overrides = overrides_.back().get();
    } else {
      variant->declaration.is_open = true;
    }
    return variant;
  }

  /// Whether it changes something that is read of the task, or means to.
  [[nodiscard]] static bool names_own_pods(const Expression& call) {
    static constexpr std::string_view keywords[] = {
        "requests", "limits", "resources", "accelerator", "interruptible", "pod_template", "**"};
    const PythonSdk sdk =
        call.parts[0].text == "override" ? PythonSdk::flyte2 : PythonSdk::flytekit;
    return std::ranges::any_of(call.parts, [&](const Expression& part) {
      return std::ranges::find(keywords, part.keyword.text) != std::ranges::end(keywords) ||
             is_override_mistake(part.keyword.text, sdk);
    });
  }

  /// The first positional argument of a call.
  [[nodiscard]] static PythonMeaning first_argument(const PythonMeaning& call) {
    const std::vector<Expression>& parts = call.value->parts;
    const bool has_one = parts.size() > 1 && parts[1].keyword.text.empty();
    return has_one ? call.scope->meaning(parts[1]) : PythonMeaning();
  }

  [[nodiscard]] static bool is_call(const PythonMeaning& meaning) {
    return meaning.value != nullptr && meaning.value->is(Expression::Kind::call);
  }

  /// The task that is called, also through `map_task(task)(…)` and `add_entity(task)` or, in Flyte
  /// 2, named.
  [[nodiscard]] std::optional<PythonTask> task_of(const Expression& written,
                                                  const PythonScope& scope, int steps) {
    PythonMeaning meaning = scope.meaning(written);
    if (steps <= 0) return std::nullopt;
    if (const PythonTask* made = find_called(meaning)) return *made;
    if (is_call(meaning)) {
      if (is_override(*meaning.value))
        return override_of(*meaning.value, *meaning.scope, steps - 1);
      const Expression& callee = meaning.value->parts[0];
      const bool is_added = callee.is(Expression::Kind::attribute) && callee.text == "add_entity";
      meaning = is_added ? first_argument(meaning) : meaning.scope->meaning(callee);
    }
    if (is_call_of(meaning, "map_task")) meaning = first_argument(meaning);
    const bool is_partial =
        is_call(meaning) &&
        meaning.scope->meaning(meaning.value->parts[0]).name == "functools.partial";
    if (is_partial) meaning = first_argument(meaning);
    if (const PythonTask* made = find_called(meaning)) return *made;
    const auto found = by_function_.find(meaning.local);
    if (found != by_function_.end()) return tasks_[found->second];
    const PythonTask* imported = task_of_module(meaning);
    return imported == nullptr ? std::nullopt : std::optional(*imported);
  }

  [[nodiscard]] const PythonTask* find_called(const PythonMeaning& meaning) const {
    const auto found = by_call_.find(meaning.value);
    return found == by_call_.end() ? nullptr : &tasks_[found->second];
  }

  /// A task of another module, which is reported there.
  [[nodiscard]] const PythonTask* task_of_module(const PythonMeaning& meaning) {
    const Statement* function = meaning.local;
    if (function == nullptr || function->kind != Statement::Kind::function) return nullptr;
    if (const auto known = imported_.find(function); known != imported_.end()) {
      return &known->second;
    }
    for (const Expression& decorator : function->decorators) {
      auto declaration = read_decoration(decorator, *meaning.scope);
      if (!declaration) continue;
      PythonTask task{name_of(*declaration, *function), decorator.span, std::move(*declaration)};
      return &imported_.emplace(function, std::move(task)).first->second;
    }
    return nullptr;
  }

  bool is_test_;  // flytekit accepts nested tasks in test modules
  std::vector<std::unique_ptr<const PythonScope>> scopes_;
  std::vector<Visit> visits_;
  std::vector<PythonTask> tasks_;
  std::map<const Statement*, std::size_t> by_function_;
  std::map<const Expression*, std::size_t> by_call_;
  std::map<const Statement*, PythonTask> imported_;  // of other modules
  std::map<std::string, std::size_t> variants_;
  std::set<std::uint32_t> seen_;  // a value of several targets counts once
  std::vector<std::unique_ptr<PythonArguments>> overrides_;
};

[[nodiscard]] PythonTree outline_of(const std::vector<Statement>& statements, Span span) {
  PythonTree list;
  list.kind = NodeKind::sequence;
  list.span = span;
  for (const Statement& each : statements) {
    const bool is_declaration =
        each.kind == Statement::Kind::function || each.kind == Statement::Kind::type;
    if (!is_declaration) {
      list.parts.push_back(python_scalar({}, each.span, Style::plain));
      continue;
    }
    PythonTree declaration = outline_of(each.body, each.span);
    declaration.parts.insert(declaration.parts.begin(),
                             python_scalar({}, each.header, Style::plain));
    list.parts.push_back(std::move(declaration));
  }
  return list;
}

/// Adds new remarks. A remark about another file is reported at the task, without a fix.
void add_remarks(const PythonTask& task, SdkRemarks made, std::vector<SdkRemark>& remarks) {
  for (SdkRemark& remark : made) {
    remark.task = task.name;
    remark.is_flyte2 = task.declaration.sdk == PythonSdk::flyte2;
    if (remark.span.file != task.place.file) {
      remark.span = task.place;
      remark.edit.reset();
    }
    const bool is_told = std::ranges::any_of(remarks, [&](const SdkRemark& other) {
      return other.kind == remark.kind && other.span == remark.span;
    });
    if (!is_told) remarks.push_back(std::move(remark));
  }
}

[[nodiscard]] bool is_test_module(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("test_") || name.ends_with("_test.py");
}

/// Whether a later release may have the keyword.
[[nodiscard]] bool is_uncertain(const SdkRemark& keyword) {
  return keyword.device == "Resources" && keyword.known.empty();
}

/// Whether there is no such task, because the SDK rejects it.
[[nodiscard]] bool is_refusal(const SdkRemark& remark) {
  using Kind = SdkRemark::Kind;
  return remark.kind == Kind::unknown_device || remark.kind == Kind::unknown_partition ||
         remark.kind == Kind::missing_device || remark.kind == Kind::paired_device ||
         remark.kind == Kind::nested_task ||
         (remark.kind == Kind::unknown_keyword && !is_uncertain(remark));
}

/// Drops remarks on an accelerator without GPUs if `with_overrides` adds GPUs to the task.
void drop_completed(const std::vector<PythonTask>& tasks, std::vector<SdkRemark>& remarks) {
  std::erase_if(remarks, [&](const SdkRemark& remark) {
    return remark.kind == SdkRemark::Kind::accelerator_alone &&
           std::ranges::any_of(tasks, [&](const PythonTask& task) {
             return task.overrides != nullptr && task.name.starts_with(remark.task + ".");
           });
  });
}

/// One remark for each file that mentions GPUs.
void add_open(const SourceFile& file, PythonTasks& tasks) {
  const std::string text = to_lower(file.text());
  const bool concerns_gpus = text.find("gpu") != text.npos || text.find("accelerator") != text.npos;
  auto remark = concerns_gpus ? remark_on_open(tasks.open) : std::nullopt;
  if (remark) tasks.remarks.push_back(std::move(*remark));
}

/// Which calls tasks of this source use, and which of other sources.
void add_use(const TaskFinder& finder, const SourceFile& file, PythonTasks& tasks) {
  const PythonUse use = finder.use();
  for (const Span& span : use.spans()) {
    if (span.file != file.id()) tasks.used_of_others.insert(span);
  }
  for (const Span& call : finder.gpu_calls()) {
    if (!use.spans().contains(call)) tasks.unused.push_back(call);
  }
  tasks.variables = use.variables();
}

}  // namespace

void add_unused_remarks(const std::vector<PythonTasks*>& sources) {
  std::set<Span> used;
  for (const PythonTasks* source : sources) used.merge(std::set<Span>(source->used_of_others));
  for (PythonTasks* source : sources) {
    std::erase_if(source->unused, [&](const Span& call) { return used.contains(call); });
    if (source->unused.empty() || !source->open.empty()) continue;
    SdkRemark& remark = source->remarks.emplace_back();
    remark.span = source->unused.front();
    if (source->unused.size() > 1) remark.known = std::to_string(source->unused.size());
  }
}

std::optional<SdkRemark> remark_on_open(const std::vector<OpenPythonTask>& open) {
  const auto is_unread = [](const OpenPythonTask& task) { return !task.because.empty(); };
  const auto unread = std::ranges::count_if(open, is_unread);
  const auto count = unread > 0 ? unread : std::ranges::ssize(open);
  if (count == 0) return std::nullopt;
  const OpenPythonTask& first = unread > 0 ? *std::ranges::find_if(open, is_unread) : open.front();
  SdkRemark remark;
  if (unread == 0) remark.kind = SdkRemark::Kind::unknown_amount;
  remark.span = first.span;
  remark.task = first.name;
  remark.seen = first.because;
  if (count > 1) remark.known = std::to_string(count);
  return remark;
}

PythonTasks read_python_tasks(const python::Module& module, const SourceFile& file,
                              PythonModules* modules) {
  PythonTasks result;
  const TaskFinder finder(module, modules, is_test_module(file.path()));
  PythonTree list;
  list.kind = NodeKind::sequence;
  list.span = file.whole();
  for (const PythonTask& task : finder.tasks()) {
    PythonEntry entry = make_python_entry(task);
    const bool is_refused = std::ranges::any_of(entry.remarks, is_refusal);
    add_remarks(task, std::move(entry.remarks), result.remarks);
    if (is_refused) continue;
    if (!entry.because.empty()) {
      result.open.push_back({task.name, task.place, entry.because});
    } else if (entry.asks_for_gpus) {
      if (has_unknown_gpus(entry.tree)) result.open.push_back({task.name, task.place, {}});
      list.parts.push_back(std::move(entry.tree));
    }
  }
  drop_completed(finder.tasks(), result.remarks);
  add_open(file, result);
  add_use(finder, file, result);
  if (list.parts.empty() && result.remarks.empty() && result.unused.empty()) return result;
  if (!list.parts.empty()) result.document = make_document(list, file.id(), file.whole());
  result.outline =
      make_document(outline_of(module.statements, file.whole()), file.id(), file.whole());
  result.outline->comments = module.comments;
  return result;
}

}  // namespace gpulint::flyte
