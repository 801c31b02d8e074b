#include "compiler/flyte/python_entry.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>
#include <string>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/flyte/python_values.h"
#include "compiler/flyte/task.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint::flyte {
namespace {

using python::Expression;

/// Arguments that configure some of a plugin's pods.
constexpr std::array<std::string_view, 10> roles = {"worker",
                                                    "master",
                                                    "ps",
                                                    "chief",
                                                    "evaluator",
                                                    "launcher",
                                                    "head_node_config",
                                                    "worker_node_config",
                                                    "scheduler",
                                                    "workers"};
/// Arguments that give such pods their own amounts, instead of the task's.
constexpr std::array<std::string_view, 6> own_amounts = {"requests",     "limits",  "resources",
                                                         "pod_template", "k8s_pod", "accelerator"};

[[nodiscard]] bool is_of_plugins(std::string_view name) {
  return name.starts_with("flytekitplugins.") || name.starts_with("flyteplugins.");
}

/// Whether the pods of a role have the task's requests.
[[nodiscard]] bool asks_as_task(const Expression& role, const PythonScope& scope) {
  const PythonMeaning meaning = scope.meaning(role);
  if (meaning.value == nullptr) return false;
  const Expression& value = *meaning.value;
  if (value.is(Expression::Kind::none)) return true;
  if (value.is(Expression::Kind::list) || value.is(Expression::Kind::tuple)) {
    return std::ranges::all_of(
        value.parts, [&](const Expression& part) { return asks_as_task(part, *meaning.scope); });
  }
  if (!value.is(Expression::Kind::call)) return false;
  if (!is_of_plugins(meaning.scope->meaning(value.parts.front()).name)) return false;
  return std::ranges::all_of(value.parts | std::views::drop(1), [](const Expression& part) {
    const std::string& keyword = part.keyword.text;
    return !keyword.empty() && keyword.front() != '*' && !is_listed(own_amounts, keyword);
  });
}

/// One node is an ordinary pod, several are pods of this kind (flytekitplugins-kfpytorch: `nnodes`,
/// 1 by default, may be a range as text).
[[nodiscard]] std::optional<std::string_view> read_elastic(const Expression& call,
                                                           const PythonScope& scope) {
  std::string_view plugin = "container";
  for (const Expression& part : call.parts | std::views::drop(1)) {
    if (part.keyword.text.starts_with('*')) return std::nullopt;
    if (part.keyword.text != "nnodes" && !part.keyword.text.empty()) continue;
    const auto number = scope.number(part);
    const auto count = number ? std::to_string(*number) : scope.text(part);
    if (!count) return std::nullopt;
    if (*count != "1") plugin = "kubeflow";
    if (part.keyword.text.empty()) break;  // the first; others follow it
  }
  return plugin;
}

using python::Expression;

/// The first amount of GPUs; null if there is none.
[[nodiscard]] const PythonTree* gpus_of(const PythonTree& of) {
  for (const std::string_view part : {"requests", "limits"}) {
    const PythonTree* amounts = of.find(part);
    for (std::size_t i = 0; amounts != nullptr && i + 1 < amounts->parts.size(); i += 2) {
      const std::string& name = amounts->parts[i].text;
      const PythonTree& amount = amounts->parts[i + 1];
      const bool is_gpu = name == "gpu" || is_gpu_resource(name);
      if (is_gpu && (amount.opaque || amount.text != "0")) return &amount;
    }
  }
  return nullptr;
}

[[nodiscard]] bool asks(const PythonTree& of) {
  return gpus_of(of) != nullptr || of.find("accelerator") != nullptr;
}

/// The plugin of a `task_config` or `plugin_config` (`container`: none, the pod is the task's) if
/// all its pods have the task's requests; nullopt: some may not.
[[nodiscard]] std::optional<std::string_view> read_python_plugin(const PythonArgument& config) {
  static constexpr std::pair<std::string_view, std::string_view> modules[] = {
      {".ray", "ray"},         {".spark", "spark"},
      {".dask", "dask"},       {".kfpytorch", "kubeflow"},
      {".kfmpi", "kubeflow"},  {".kftensorflow", "kubeflow"},
      {".pytorch", "kubeflow"}};
  const PythonMeaning meaning = config.scope->meaning(*config.value);
  if (meaning.value == nullptr || !meaning.value->is(Expression::Kind::call)) return std::nullopt;
  const Expression& call = *meaning.value;
  const std::string name = meaning.scope->meaning(call.parts.front()).name;
  if (!is_of_plugins(name)) return std::nullopt;
  if (name.ends_with(".Elastic")) return read_elastic(call, *meaning.scope);
  const auto is_open = [&](const Expression& part) {
    const std::string& keyword = part.keyword.text;
    if (keyword.empty() || keyword.front() == '*' || is_listed(own_amounts, keyword)) return true;
    return is_listed(roles, keyword) && !asks_as_task(part, *meaning.scope);
  };
  if (std::ranges::any_of(call.parts | std::views::drop(1), is_open)) return std::nullopt;
  for (const auto& [module, plugin] : modules) {
    // Spark's own settings have the requests of its pods
    const bool is_settled = plugin != "spark" || call.parts.size() == 1;
    if (name.find(module) != std::string::npos && is_settled) return plugin;
  }
  return std::nullopt;
}

/// Builds a task's entry from its arguments.
class EntryBuilder {
 public:
  explicit EntryBuilder(const PythonTask& task)
      : task_(task),
        arguments_(task.declaration.arguments),
        entry_(python_mapping(task.place)),
        remarks_(task.declaration.remarks) {}

  /// Why it is unknown; empty if it is known.
  [[nodiscard]] std::string_view build() {
    if (task_.declaration.is_open) return "the code computes its arguments";
    entry_.add("name", task_.place, python_scalar(task_.name, task_.place, Style::double_quoted));
    const bool is_flyte2 = task_.declaration.sdk == PythonSdk::flyte2;
    entry_.add(std::string(python_sdk_key), task_.place,
               python_scalar(is_flyte2 ? "flyte" : "flytekit", task_.place, Style::plain));
    if (const auto why = add_resources(arguments_, entry_); !why.empty()) return why;
    if (const auto why = add_interruptible(); !why.empty()) return why;
    if (const auto why = add_plugin(); !why.empty()) return why;
    if (const auto why = add_pod(); !why.empty()) return why;
    if (task_.overrides != nullptr) {
      if (find_argument(*task_.overrides, "pod_template") != nullptr) {
        return "its pod template is overridden";
      }
      PythonTree overrides = python_mapping(task_.place);
      if (const auto why = add_resources(*task_.overrides, overrides); !why.empty()) return why;
      entry_.add("overrides", task_.place, std::move(overrides));
    }
    note_accelerator_alone();
    return {};
  }

  [[nodiscard]] SdkRemarks take_remarks() { return std::move(remarks_); }

  [[nodiscard]] PythonTree take() && { return std::move(entry_); }

 private:
  /// flytekit sends an accelerator whatever the task requests. Pod templates and plugins may have
  /// their own requests; TPUs have their own resource.
  void note_accelerator_alone() {
    const PythonTree* overrides = entry_.find("overrides");
    const PythonTree* accelerator = entry_.find("accelerator");
    if (overrides != nullptr && overrides->find("accelerator") != nullptr) {
      accelerator = overrides->find("accelerator");
    }
    const bool is_plain = task_.declaration.sdk == PythonSdk::flytekit &&
                          entry_.find("target") == nullptr && entry_.find("plugin") == nullptr &&
                          entry_.find("podTemplateName") == nullptr;
    if (accelerator == nullptr || !is_plain || gpus_of(entry_) != nullptr) return;
    if (overrides != nullptr && gpus_of(*overrides) != nullptr) return;
    const std::string& device = accelerator->find("device")->text;
    if (device.starts_with("tpu")) return;
    remarks_.push_back(
        {.kind = SdkRemark::Kind::accelerator_alone, .span = accelerator->span, .seen = device});
  }

  /// flytekit replaces the requests of the template's container by the task's.
  void note_lost_gpus(const PythonTree& amounts_of_template) {
    const PythonTree* lost = gpus_of(amounts_of_template);
    if (lost == nullptr || lost->opaque || gpus_of(entry_) != nullptr) return;
    for (const std::string_view keyword : {"resources", "requests", "limits"}) {
      const PythonArgument* argument = find_argument(arguments_, keyword);
      if (argument == nullptr) continue;
      remarks_.push_back({.kind = SdkRemark::Kind::lost_template_gpu,
                          .span = argument->word.span,
                          .seen = lost->text,
                          .known = std::string(keyword),
                          .other = lost->span});
      return;
    }
  }

  [[nodiscard]] std::string_view add_resources(const PythonArguments& arguments, PythonTree& into) {
    constexpr std::string_view unknown = "the code computes its resources";
    std::optional<PythonTree> accelerator;
    if (const PythonArgument* both = find_argument(arguments, "resources")) {
      auto read = read_python_resources(*both, remarks_);
      if (!read) return unknown;
      accelerator = std::move(read->accelerator);
      into.add("requests", both->word.span, std::move(read->requests));
      if (read->has_limits) into.add("limits", both->word.span, std::move(read->limits));
    }
    for (const std::string_view part : {"requests", "limits"}) {
      const PythonArgument* argument = find_argument(arguments, part);
      if (argument == nullptr) continue;
      auto read = read_python_resources(*argument, remarks_);
      if (!read || read->has_limits || into.find(part) != nullptr) return unknown;
      into.add(std::string(part), argument->word.span, std::move(read->requests));
    }
    if (const PythonArgument* named = find_argument(arguments, "accelerator")) {
      accelerator = read_python_accelerator(*named, remarks_);
      if (!accelerator) return "the code computes its accelerator";
      into.add("accelerator", named->word.span, std::move(*accelerator));
    } else if (accelerator) {
      const Span place = accelerator->span;
      into.add("accelerator", place, std::move(*accelerator));
    }
    return {};
  }

  [[nodiscard]] std::string_view add_interruptible() {
    const PythonArgument* argument = find_argument(arguments_, "interruptible");
    if (task_.overrides != nullptr) {
      const PythonArgument* over = find_argument(*task_.overrides, "interruptible");
      if (over != nullptr) argument = over;
    }
    if (argument == nullptr) return {};
    const PythonMeaning meaning = argument->scope->meaning(*argument->value);
    if (meaning.value == nullptr || !meaning.value->is(Expression::Kind::boolean)) {
      return "the code computes `interruptible`";
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
      const auto plugin = read_python_plugin(*argument);
      if (!plugin) return "its plugin decides on its pods";
      entry_.add("plugin", argument->word.span,
                 python_scalar(std::string(*plugin), argument->value->span, Style::plain));
    }
    return {};
  }

  [[nodiscard]] std::string_view add_pod() {
    if (const auto why = add_pod_template_name("pod_template_name"); !why.empty()) return why;
    const PythonArgument* argument = find_argument(arguments_, "pod_template");
    if (argument == nullptr) return {};
    const bool is_name = task_.declaration.sdk == PythonSdk::flyte2 &&
                         argument->scope->text(*argument->value).has_value();
    if (is_name) return add_pod_template_name("pod_template");
    auto pod = read_python_pod(*argument);
    if (!pod) return "the code computes its pod template";
    if (others_ask_for_gpus(*pod)) return "several containers of its pod may request GPUs";
    PythonTree amounts = container_amounts(*pod);
    if (entry_.find("requests") == nullptr && entry_.find("limits") == nullptr) {
      std::ranges::move(amounts.parts, std::back_inserter(entry_.parts));
    } else if (task_.declaration.sdk == PythonSdk::flyte2) {
      add_template_amounts(std::move(amounts));
    } else {
      note_lost_gpus(amounts);
    }
    entry_.add("target", argument->word.span,
               python_scalar("k8s_pod", argument->value->span, Style::plain));
    entry_.add("podSpec", argument->word.span, std::move(pod->pod_spec));
    entry_.add(std::string(primary_container_key), argument->word.span,
               python_scalar(pod->primary_container, argument->value->span, Style::plain));
    return {};
  }

  /// The name of an object in the cluster, which may be among the inputs (base_pod_template.h).
  [[nodiscard]] std::string_view add_pod_template_name(std::string_view keyword) {
    const PythonArgument* argument = find_argument(arguments_, keyword);
    if (argument == nullptr) return {};
    const auto name = argument->scope->text(*argument->value);
    if (!name) return "the code computes its pod template";
    if (name->empty()) return {};
    entry_.add("podTemplateName", argument->word.span,
               python_scalar(*name, argument->value->span, Style::double_quoted));
    return {};
  }

  /// Flyte 2's SDK keeps the requests of the template's container next to the task's (flyte 2.12,
  /// task_serde.py: _get_k8s_pod).
  void add_template_amounts(PythonTree amounts) {
    for (std::size_t i = 0; i + 1 < amounts.parts.size(); i += 2) {
      PythonTree& list = amounts.parts[i + 1];
      PythonTree* own = entry_.find(amounts.parts[i].text);
      if (own == nullptr) {
        entry_.parts.push_back(std::move(amounts.parts[i]));
        entry_.parts.push_back(std::move(list));
        continue;
      }
      for (std::size_t k = 0; k + 1 < list.parts.size(); k += 2) {
        if (own->find(list.parts[k].text) != nullptr) continue;
        own->parts.push_back(std::move(list.parts[k]));
        own->parts.push_back(std::move(list.parts[k + 1]));
      }
    }
  }

  /// Whether a container other than the primary one requests GPUs.
  [[nodiscard]] static bool others_ask_for_gpus(const PythonPodTemplate& pod) {
    for (const std::string_view list : {"containers", "initContainers"}) {
      const PythonTree* containers = pod.pod_spec.find(list);
      if (containers == nullptr) continue;
      for (const PythonTree& container : containers->parts) {
        const PythonTree* name = container.find("name");
        const PythonTree* resources = container.find("resources");
        const bool is_primary = name != nullptr && name->text == pod.primary_container;
        if (!is_primary && resources != nullptr && gpus_of(*resources) != nullptr) return true;
      }
    }
    return false;
  }

  /// The requests of a template's primary container.
  [[nodiscard]] static PythonTree container_amounts(const PythonPodTemplate& pod) {
    PythonTree found = python_mapping(pod.pod_spec.span);
    const PythonTree* containers = pod.pod_spec.find("containers");
    if (containers == nullptr) return found;
    for (const PythonTree& container : containers->parts) {
      const PythonTree* name = container.find("name");
      const PythonTree* resources = container.find("resources");
      if (name == nullptr || name->text != pod.primary_container || resources == nullptr) continue;
      for (const std::string_view part : {"requests", "limits"}) {
        const PythonTree* amounts = resources->find(part);
        if (amounts != nullptr) found.add(std::string(part), amounts->span, *amounts);
      }
    }
    return found;
  }

  const PythonTask& task_;
  const PythonArguments& arguments_;
  PythonTree entry_;
  SdkRemarks remarks_;
};

}  // namespace

PythonEntry make_python_entry(const PythonTask& task) {
  EntryBuilder builder(task);
  PythonEntry made;
  made.because = builder.build();
  made.remarks = builder.take_remarks();
  made.tree = std::move(builder).take();
  made.asks_for_gpus = asks_for_gpus(made.tree) || made.tree.find("podTemplateName") != nullptr;
  return made;
}

bool asks_for_gpus(const PythonTree& entry) {
  const PythonTree* overrides = entry.find("overrides");
  return asks(entry) || (overrides != nullptr && asks(*overrides));
}

bool has_unknown_gpus(const PythonTree& entry) {
  const auto is_unknown = [](const PythonTree* of) {
    const PythonTree* gpus = of == nullptr ? nullptr : gpus_of(*of);
    return gpus != nullptr && gpus->opaque;
  };
  return is_unknown(&entry) || is_unknown(entry.find("overrides"));
}

FlyteVersion version_of_entry(Node entry) {
  const std::string_view sdk = entry.get(python_sdk_key).text();
  if (sdk.empty()) return FlyteVersion::unknown;
  return sdk == "flyte" ? FlyteVersion::v2 : FlyteVersion::v1;
}

}  // namespace gpulint::flyte
