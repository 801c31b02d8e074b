#include "compiler/flyte/python_tasks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/python_names.h"
#include "compiler/flyte/python_tree.h"
#include "compiler/flyte/python_values.h"
#include "compiler/model/gpu_resource.h"

namespace gpulint::flyte {
namespace {

using python::Expression;
using python::Statement;
using Arguments = std::vector<PythonArgument>;

/// Partials and clones of one another.
/// The key of the SDK's name, which nobody writes in YAML.
constexpr std::string_view sdk_key = "<sdk>";

constexpr int max_decorator_steps = 8;

/// What a decorator, or what it is made of, says of a task.
struct Declaration {
  PythonSdk sdk = PythonSdk::flytekit;
  std::string environment;  ///< Flyte 2's: before the task's name.
  Arguments arguments;      ///< The last of a name counts.
  bool is_open = false;     ///< Some of them are not known.
};

/// A task, and what it is written with.
struct FoundTask {
  std::string name;
  Span place;
  Declaration declaration;
  const Arguments* overrides = nullptr;  ///< Of `with_overrides`.
};

void add_arguments(const Expression& call, const PythonScope& scope,
                   std::initializer_list<std::string_view> parameters, Declaration& into) {
  auto arguments = python_arguments(call, scope, parameters);
  if (!arguments) {
    into.is_open = true;
  } else {
    std::ranges::move(*arguments, std::back_inserter(into.arguments));
  }
}

[[nodiscard]] std::optional<Declaration> read_environment(const Expression& written,
                                                          const PythonScope& scope, int steps);

/// What is called to decorate, by itself: `task`, `env.task`, a partial.
[[nodiscard]] std::optional<Declaration> read_decorator(const Expression& written,
                                                        const PythonScope& scope, int steps) {
  if (steps <= 0) return std::nullopt;
  const PythonMeaning meaning = scope.meaning(written);
  const bool is_decorator = is_sdk_member(meaning, "task") || is_sdk_member(meaning, "dynamic");
  if (is_decorator && sdk_of(meaning.name) == PythonSdk::flytekit) return Declaration();
  if (meaning.value == nullptr) return std::nullopt;
  const Expression& value = *meaning.value;
  if (value.is(Expression::Kind::attribute) && value.text == "task") {
    return read_environment(value.parts[0], *meaning.scope, steps - 1);
  }
  if (!value.is(Expression::Kind::call) || value.parts.size() < 2) return std::nullopt;
  if (meaning.scope->meaning(value.parts[0]).name != "functools.partial") return std::nullopt;
  auto made = read_decorator(value.parts[1], *meaning.scope, steps - 1);
  if (!made) return std::nullopt;
  // Its first argument is the decorator itself, which no task has a name for.
  add_arguments(value, *meaning.scope, {"<decorator>"}, *made);
  return made;
}

/// What an environment was made with: `TaskEnvironment(…)`, `env.clone_with(…)`.
[[nodiscard]] std::optional<Declaration> read_environment(const Expression& written,
                                                          const PythonScope& scope, int steps) {
  const PythonMeaning meaning = scope.meaning(written);
  if (steps <= 0 || meaning.value == nullptr) return std::nullopt;
  const Expression& call = *meaning.value;
  if (!call.is(Expression::Kind::call)) return std::nullopt;
  std::optional<Declaration> made;
  if (is_call_of(meaning, "ActorEnvironment")) {
    made.emplace();
  } else if (is_call_of(meaning, "TaskEnvironment")) {
    made.emplace().sdk = PythonSdk::flyte2;
  } else if (call.parts[0].is(Expression::Kind::attribute) && call.parts[0].text == "clone_with") {
    made = read_environment(call.parts[0].parts[0], *meaning.scope, steps - 1);
  }
  if (!made) return std::nullopt;
  add_arguments(call, *meaning.scope, {"name"}, *made);
  return made;
}

[[nodiscard]] std::optional<Declaration> read_decoration(const Expression& decorator,
                                                         const PythonScope& scope) {
  if (!decorator.is(Expression::Kind::call))
    return read_decorator(decorator, scope, max_decorator_steps);
  auto made = read_decorator(decorator.parts[0], scope, max_decorator_steps);
  if (!made) return std::nullopt;
  add_arguments(decorator, scope, {}, *made);
  return made;
}

/// Why the plugin that `task_config` stands for is not known; its name where it is.
[[nodiscard]] std::optional<std::string_view> plugin_of(const PythonArgument& config) {
  static constexpr std::pair<std::string_view, std::string_view> modules[] = {
      {".ray", "ray"},         {".spark", "spark"},
      {".dask", "dask"},       {".kfpytorch", "kubeflow"},
      {".kfmpi", "kubeflow"},  {".kftensorflow", "kubeflow"},
      {".pytorch", "kubeflow"}};
  const PythonMeaning meaning = config.scope->meaning(*config.value);
  if (meaning.value == nullptr || !meaning.value->is(Expression::Kind::call)) return std::nullopt;
  const std::string name = meaning.scope->meaning(meaning.value->parts[0]).name;
  const bool is_plugin = name.starts_with("flytekitplugins.") || name.starts_with("flyteplugins.");
  const bool has_arguments = meaning.value->parts.size() > 1;
  if (is_plugin && name.ends_with(".Elastic")) {
    // One node is an ordinary pod (flytekitplugins-kfpytorch: `nnodes=1`, the default).
    for (const Expression& part : meaning.value->parts | std::views::drop(1)) {
      const bool is_one = part.is(Expression::Kind::number) && part.text == "1";
      const bool is_nodes = part.keyword.text == "nnodes" || part.keyword.text.empty();
      if ((is_nodes && !is_one) || part.keyword.text.starts_with('*')) return std::nullopt;
    }
    return "container";
  }
  // Its arguments may have resources of their own, by role.
  if (!is_plugin || has_arguments) return std::nullopt;
  for (const auto& [module, plugin] : modules) {
    if (name.find(module) != std::string::npos) return plugin;
  }
  return std::nullopt;
}

/// Makes a task's entry of what its arguments say.
class EntryBuilder {
 public:
  explicit EntryBuilder(const FoundTask& task)
      : task_(task), arguments_(task.declaration.arguments), entry_(python_mapping(task.place)) {}

  /// Why it cannot be told; empty where it can.
  [[nodiscard]] std::string_view build() {
    if (task_.declaration.is_open) return "its arguments are computed";
    entry_.add("name", task_.place, python_scalar(task_.name, task_.place, Style::double_quoted));
    const bool is_flyte2 = task_.declaration.sdk == PythonSdk::flyte2;
    entry_.add(std::string(sdk_key), task_.place,
               python_scalar(is_flyte2 ? "flyte" : "flytekit", task_.place, Style::plain));
    if (const auto why = add_resources(arguments_, entry_); !why.empty()) return why;
    if (const auto why = add_interruptible(); !why.empty()) return why;
    if (const auto why = add_plugin(); !why.empty()) return why;
    if (const auto why = add_pod(); !why.empty()) return why;
    if (task_.overrides == nullptr) return {};
    PythonTree overrides = python_mapping(task_.place);
    if (const auto why = add_resources(*task_.overrides, overrides); !why.empty()) return why;
    entry_.add("overrides", task_.place, std::move(overrides));
    return {};
  }

  [[nodiscard]] bool asks_for_gpus() const {
    const PythonTree* overrides = entry_.find("overrides");
    return asks(entry_) || (overrides != nullptr && asks(*overrides));
  }

  [[nodiscard]] PythonTree take() && { return std::move(entry_); }

 private:
  [[nodiscard]] static bool asks(const PythonTree& of) {
    for (const std::string_view part : {"requests", "limits"}) {
      const PythonTree* amounts = of.find(part);
      for (std::size_t i = 0; amounts != nullptr && i + 1 < amounts->parts.size(); i += 2) {
        const std::string& name = amounts->parts[i].text;
        const PythonTree& amount = amounts->parts[i + 1];
        const bool is_gpu = name == "gpu" || is_gpu_resource(name);
        if (is_gpu && (amount.opaque || amount.text != "0")) return true;
      }
    }
    return of.find("accelerator") != nullptr;
  }

  [[nodiscard]] static std::string_view add_resources(const Arguments& arguments,
                                                      PythonTree& into) {
    constexpr std::string_view unknown = "its resources are computed";
    std::optional<PythonTree> accelerator;
    if (const PythonArgument* both = find_argument(arguments, "resources")) {
      auto read = read_python_resources(*both);
      if (!read) return unknown;
      accelerator = std::move(read->accelerator);
      into.add("requests", both->word.span, std::move(read->requests));
      if (read->has_limits) into.add("limits", both->word.span, std::move(read->limits));
    }
    for (const std::string_view part : {"requests", "limits"}) {
      const PythonArgument* argument = find_argument(arguments, part);
      if (argument == nullptr) continue;
      auto read = read_python_resources(*argument);
      if (!read || read->has_limits || into.find(part) != nullptr) return unknown;
      into.add(std::string(part), argument->word.span, std::move(read->requests));
    }
    if (const PythonArgument* named = find_argument(arguments, "accelerator")) {
      accelerator = read_python_accelerator(*named);
      if (!accelerator) return "its accelerator is computed";
      into.add("accelerator", named->word.span, std::move(*accelerator));
    } else if (accelerator) {
      const Span place = accelerator->span;
      into.add("accelerator", place, std::move(*accelerator));
    }
    return {};
  }

  [[nodiscard]] std::string_view add_interruptible() {
    const PythonArgument* argument = find_argument(arguments_, "interruptible");
    if (argument == nullptr) return {};
    const PythonMeaning meaning = argument->scope->meaning(*argument->value);
    if (meaning.value == nullptr || !meaning.value->is(Expression::Kind::boolean)) {
      return "whether it can be interrupted is computed";
    }
    const bool is_true = meaning.value->text == "True";
    entry_.add("interruptible", argument->word.span,
               python_scalar(is_true ? "true" : "false", argument->value->span, Style::plain));
    return {};
  }

  [[nodiscard]] std::string_view add_plugin() {
    for (const std::string_view keyword : {"task_config", "plugin_config"}) {
      const PythonArgument* argument = find_argument(arguments_, keyword);
      if (argument == nullptr) continue;
      const auto plugin = plugin_of(*argument);
      if (!plugin) return "its plugin decides on its pods";
      entry_.add("plugin", argument->word.span,
                 python_scalar(std::string(*plugin), argument->value->span, Style::plain));
    }
    return {};
  }

  [[nodiscard]] std::string_view add_pod() {
    if (find_argument(arguments_, "pod_template_name") != nullptr) {
      return "its pod template is an object in the cluster";
    }
    const PythonArgument* argument = find_argument(arguments_, "pod_template");
    if (argument == nullptr) return {};
    auto pod = read_python_pod(*argument);
    if (!pod) return "its pod template is computed";
    // flytekit replaces what the template's container asks for by what the task does.
    if (entry_.find("requests") == nullptr && entry_.find("limits") == nullptr) {
      add_container_amounts(*pod);
    }
    entry_.add("target", argument->word.span,
               python_scalar("k8s_pod", argument->value->span, Style::plain));
    entry_.add("podSpec", argument->word.span, std::move(pod->pod_spec));
    return {};
  }

  void add_container_amounts(const PythonPodTemplate& pod) {
    const PythonTree* containers = pod.pod_spec.find("containers");
    if (containers == nullptr) return;
    for (const PythonTree& container : containers->parts) {
      const PythonTree* name = container.find("name");
      const PythonTree* resources = container.find("resources");
      if (name == nullptr || name->text != pod.primary_container || resources == nullptr) continue;
      for (const std::string_view part : {"requests", "limits"}) {
        const PythonTree* amounts = resources->find(part);
        if (amounts != nullptr) entry_.add(std::string(part), amounts->span, *amounts);
      }
    }
  }

  const FoundTask& task_;
  const Arguments& arguments_;
  PythonTree entry_;
};

/// Goes through a module with its functions, and keeps the scopes that names are looked up in.
class TaskFinder {
 public:
  explicit TaskFinder(const python::Module& module) {
    enter(module.statements, {}, nullptr);
    for (std::size_t i = 0; i < visits_.size(); ++i) find_tasks(visits_[i]);
    for (std::size_t i = 0; i < visits_.size(); ++i) find_variants(visits_[i]);
  }

  [[nodiscard]] const std::vector<FoundTask>& tasks() const { return tasks_; }

 private:
  struct Visit {
    const std::vector<Statement>* statements;
    const PythonScope* scope;
  };

  void enter(const std::vector<Statement>& statements, const std::vector<std::string>& parameters,
             const PythonScope* outer) {
    scopes_.push_back(std::make_unique<PythonScope>(statements, parameters, outer));
    const PythonScope* scope = scopes_.back().get();
    visits_.push_back({&statements, scope});
    for (const Statement& each : statements) {
      if (each.kind == Statement::Kind::function) enter(each.body, each.parameters, scope);
    }
  }

  void find_tasks(const Visit& visit) {
    for (const Statement& each : *visit.statements) {
      if (each.kind != Statement::Kind::function) continue;
      for (const Expression& decorator : each.decorators) {
        auto declaration = read_decoration(decorator, *visit.scope);
        if (!declaration) continue;
        FoundTask task{name_of(*declaration, each), decorator.span, std::move(*declaration)};
        by_function_.emplace(&each, tasks_.size());
        tasks_.push_back(std::move(task));
        break;
      }
    }
  }

  [[nodiscard]] static std::string name_of(const Declaration& declaration, const Statement& task) {
    if (declaration.sdk != PythonSdk::flyte2) return task.name.text;
    const PythonArgument* name = find_argument(declaration.arguments, "name");
    const auto text = name == nullptr ? std::nullopt : name->scope->text(*name->value);
    return text ? *text + "." + task.name.text : task.name.text;
  }

  void find_variants(const Visit& visit) {
    for (const Statement& each : *visit.statements) find_variants(each.value, *visit.scope);
  }

  void find_variants(const Expression& within, const PythonScope& scope) {
    for (const Expression& part : within.parts) find_variants(part, scope);
    if (!within.is(Expression::Kind::call)) return;
    const Expression& callee = within.parts[0];
    if (!callee.is(Expression::Kind::attribute)) return;
    const bool is_v1 = callee.text == "with_overrides";
    if (!is_v1 && callee.text != "override") return;
    const FoundTask* of = task_of(callee.parts[0], scope);
    if (of == nullptr || (of->declaration.sdk == PythonSdk::flytekit) != is_v1) return;
    if (!seen_.insert(callee.word.begin).second) return;
    FoundTask variant = *of;
    variant.place = join(callee.word, within.span);
    variant.place.begin = callee.word.begin;
    if (!names_own_pods(within)) return;
    add_variant(std::move(variant), within, scope);
  }

  /// Whether it changes what is told of the task.
  [[nodiscard]] static bool names_own_pods(const Expression& call) {
    static constexpr std::string_view keywords[] = {"requests", "limits", "resources",
                                                    "accelerator", "**"};
    return std::ranges::any_of(call.parts, [&](const Expression& part) {
      return std::ranges::find(keywords, part.keyword.text) != std::ranges::end(keywords);
    });
  }

  void add_variant(FoundTask variant, const Expression& call, const PythonScope& scope) {
    variant.name += std::string(".") + call.parts[0].text;
    const std::size_t before = variants_[variant.name]++;
    if (before > 0) variant.name += fmt::format("-{}", before + 1);
    if (variant.declaration.sdk == PythonSdk::flyte2) {
      add_arguments(call, scope, {}, variant.declaration);
    } else if (auto arguments = python_arguments(call, scope, {})) {
      overrides_.push_back(std::make_unique<Arguments>(std::move(*arguments)));
      variant.overrides = overrides_.back().get();
    } else {
      variant.declaration.is_open = true;
    }
    tasks_.push_back(std::move(variant));
  }

  /// The task that is called, or, of Flyte 2, named.
  [[nodiscard]] const FoundTask* task_of(const Expression& written, const PythonScope& scope) {
    PythonMeaning meaning = scope.meaning(written);
    if (meaning.value != nullptr && meaning.value->is(Expression::Kind::call)) {
      meaning = meaning.scope->meaning(meaning.value->parts[0]);
    }
    const auto found = by_function_.find(meaning.local);
    return found == by_function_.end() ? nullptr : &tasks_[found->second];
  }

  std::vector<std::unique_ptr<PythonScope>> scopes_;
  std::vector<Visit> visits_;
  std::vector<FoundTask> tasks_;
  std::map<const Statement*, std::size_t> by_function_;
  std::map<std::string, std::size_t> variants_;
  std::set<std::uint32_t> seen_;  // a value of several targets stands once
  std::vector<std::unique_ptr<Arguments>> overrides_;
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

}  // namespace

bool may_declare_tasks(std::string_view text) {
  // `union` alone is a word of many sources.
  static constexpr std::string_view words[] = {"flyte", "import union", "from union"};
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

FlyteVersion version_of_entry(Node entry) {
  const std::string_view sdk = entry.get(sdk_key).text();
  if (sdk.empty()) return FlyteVersion::unknown;
  return sdk == "flyte" ? FlyteVersion::v2 : FlyteVersion::v1;
}

PythonTasks read_python_tasks(const python::Module& module, const SourceFile& file) {
  PythonTasks result;
  const TaskFinder finder(module);
  PythonTree list;
  list.kind = NodeKind::sequence;
  list.span = file.whole();
  for (const FoundTask& task : finder.tasks()) {
    EntryBuilder builder(task);
    const std::string_view why = builder.build();
    if (!why.empty()) {
      result.open.push_back({task.name, task.place, why});
    } else if (builder.asks_for_gpus()) {
      list.parts.push_back(std::move(builder).take());
    }
  }
  if (list.parts.empty()) return result;
  result.document = make_document(list, file.id(), file.whole());
  result.outline =
      make_document(outline_of(module.statements, file.whole()), file.id(), file.whole());
  result.outline->comments = module.comments;
  return result;
}

}  // namespace gpulint::flyte
