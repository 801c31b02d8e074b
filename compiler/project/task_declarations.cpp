#include "compiler/project/task_declarations.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/base_pod_template.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/flyte/packaged_tasks.h"
#include "compiler/flyte/python_entry.h"
#include "compiler/flyte/task.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_of_flyte2(Node entry) {
  return flyte::version_of_entry(entry) == FlyteVersion::v2;
}

/// The GPUs of a task, for a remark; nullopt if a part is unknown.
[[nodiscard]] std::optional<std::string> describe_gpus(const flyte::Task& task) {
  if (!task.problem.empty()) return std::nullopt;
  std::string amount = "0";
  for (const auto* amounts : {&task.requests, &task.limits}) {
    for (const flyte::TaskResource& each : *amounts) {
      if (each.name.value != "gpu") continue;
      if (!each.amount.is_known()) return std::nullopt;
      amount = each.amount.value();
    }
  }
  std::string text = fmt::format("{} GPU{}", amount, amount == "1" ? "" : "s");
  if (!task.accelerator) return text;
  text += fmt::format(" of `{}`", task.accelerator->device.value);
  if (const auto& size = task.accelerator->partition_size) {
    text += fmt::format(", partition `{}`", size->value);
  }
  return text;
}

/// Whether both request the same known resources.
[[nodiscard]] bool is_same(const std::vector<flyte::TaskResource>& one,
                           const std::vector<flyte::TaskResource>& other) {
  const auto has = [&](const flyte::TaskResource& wanted) {
    return std::ranges::any_of(other, [&](const flyte::TaskResource& each) {
      return each.name.value == wanted.name.value && each.amount.is_known() &&
             wanted.amount.is_known() && each.amount.value() == wanted.amount.value();
    });
  };
  return one.size() == other.size() && std::ranges::all_of(one, has);
}

[[nodiscard]] bool is_same(const std::optional<flyte::TaskAccelerator>& one,
                           const std::optional<flyte::TaskAccelerator>& other) {
  if (!one || !other) return one.has_value() == other.has_value();
  const auto size_of = [](const flyte::TaskAccelerator& accelerator) {
    return accelerator.partition_size ? accelerator.partition_size->value : std::string();
  };
  return one->device.value == other->device.value && size_of(*one) == size_of(*other) &&
         one->unpartitioned.value_or(false) == other->unpartitioned.value_or(false) &&
         one->device_class == other->device_class;
}

/// Whether a source declares the same task as a package. Pod templates are not compared: packaging
/// adds an image, arguments and environment variables to them.
[[nodiscard]] bool says_what_was_packaged(Node source, Node packaged) {
  const flyte::Task one = flyte::read_task(source, flyte::version_of_entry(source));
  const flyte::Task other = flyte::read_task(packaged, flyte::version_of_entry(packaged));
  const std::vector<flyte::TaskResource> none;
  return is_same(one.requests, other.requests) && is_same(one.limits, other.limits) &&
         is_same(one.accelerator, other.accelerator) &&
         is_same(one.override_requests.value_or(none), other.override_requests.value_or(none)) &&
         is_same(one.override_limits.value_or(none), other.override_limits.value_or(none)) &&
         is_same(one.override_accelerator, other.override_accelerator) &&
         one.plugin == other.plugin && one.target == other.target &&
         one.interruptible == other.interruptible;
}

[[nodiscard]] std::string_view name_of(Node entry) { return entry.get("name").text(); }

[[nodiscard]] std::string_view without_suffix(std::string_view name) {
  return name.substr(0, name.size() - flyte::variant_suffix(name).size());
}

/// Whether `packaged`, the name of a task that flytekit registers (`workflows.train.embed`), is the
/// task `name` in the source `path`.
[[nodiscard]] bool is_task_of_source(std::string_view packaged, std::string_view name,
                                     std::string_view path) {
  if (!packaged.ends_with(name)) return false;
  packaged.remove_suffix(name.size());
  if (packaged.empty()) return true;  // Flyte 2 has names without a module
  if (!packaged.ends_with('.')) return false;
  packaged.remove_suffix(1);
  constexpr std::string_view suffix = ".py";
  constexpr std::string_view package_file = "/__init__";
  if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  if (path.ends_with(package_file)) path.remove_suffix(package_file.size());
  std::string module(path);
  std::ranges::replace(module, '/', '.');
  const std::string_view longer = module.size() > packaged.size() ? module : packaged;
  const std::string_view shorter = module.size() > packaged.size() ? packaged : module;
  if (shorter.empty() || !longer.ends_with(shorter)) return false;
  return longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '.';
}

class Adder {
 public:
  Adder(const TaskFiles& files, const SourceSet& sources, Settings& settings)
      : files_(files), sources_(sources), settings_(settings) {
    for (flyte::Task& task : flyte::declared_tasks(settings, FlyteVersion::unknown)) {
      const bool is_read_here =
          task.node && flyte::version_of_entry(task.node) != FlyteVersion::unknown;
      if (!is_read_here) declared_.try_emplace(task.name, std::move(task));
    }
    for (const auto& [file, tasks] : files) {
      if (!tasks->is_packaged || !tasks->document) continue;
      for (const Node entry : root(*tasks->document).items()) packaged_.push_back(entry);
    }
  }

  void run() {
    for (const auto& [file, tasks] : files_) {
      if (!tasks->is_packaged) add_source(file, *tasks);
    }
    for (const auto& [file, tasks] : files_) {
      if (tasks->is_packaged) add_package(*tasks);
    }
  }

 private:
  void add_source(FileId file, const flyte::PythonTasks& tasks) {
    add_remarks(file, tasks);
    if (!tasks.document) return;
    std::set<std::string, std::less<>> replaced;
    for (const Node entry : root(*tasks.document).items()) {
      const std::string_view name = name_of(entry);
      if (const auto same = declared_.find(name); same != declared_.end()) {
        compare(same->second, entry);
      } else if (!flyte::variant_suffix(name).empty()) {
        add_variant(file, entry, replaced);
      } else if (const Node packaged = packaged_of(file, name)) {
        const auto whole = declared_.find(name_of(packaged));
        if (whole != declared_.end()) {
          compare(whole->second, entry);
        } else {
          choose(entry, packaged, replaced);
        }
      } else {
        settings_.tasks.push_back(entry);
      }
    }
  }

  /// Adds the remarks of a source, without those about tasks that are declared elsewhere or
  /// packaged.
  void add_remarks(FileId file, const flyte::PythonTasks& tasks) {
    std::vector<flyte::OpenPythonTask> open = tasks.open;
    std::erase_if(open, [&](const auto& task) {
      return declared_.contains(task.name) || bool{packaged_of(file, task.name)};
    });
    for (const SdkRemark& remark : tasks.remarks) {
      const bool is_on_open = remark.kind == SdkRemark::Kind::unknown_resources ||
                              remark.kind == SdkRemark::Kind::unknown_amount;
      if (!is_on_open || open.size() == tasks.open.size()) settings_.sdk_remarks.push_back(remark);
      if (!is_on_open || open.size() == tasks.open.size()) continue;
      if (auto rest = flyte::remark_on_open(open)) settings_.sdk_remarks.push_back(*rest);
    }
  }

  /// Uses the source if it declares the same as the package: its place is more useful.
  void choose(Node source, Node packaged, std::set<std::string, std::less<>>& replaced) {
    if (says_what_was_packaged(source, packaged)) {
      left_out_.emplace(packaged.document(), packaged.index());
      settings_.tasks.push_back(source);
      return;
    }
    replaced.emplace(name_of(source));
    remark_difference(SdkRemark::Kind::other_package, source,
                      flyte::read_task(packaged, flyte::version_of_entry(packaged)));
  }

  /// A task may have several variants, in different orders, so they are not compared with each
  /// other.
  void add_variant(FileId file, Node entry, const std::set<std::string, std::less<>>& replaced) {
    const std::string_view of = without_suffix(name_of(entry));
    if (replaced.contains(of)) return;
    for (const Node packaged : packaged_) {
      const std::string_view name = name_of(packaged);
      if (flyte::variant_suffix(name).empty()) continue;
      if (!is_task_of_source(without_suffix(name), of, sources_.file(file).path())) continue;
      if (says_what_was_packaged(entry, packaged))
        left_out_.emplace(packaged.document(), packaged.index());
    }
    settings_.tasks.push_back(entry);
  }

  /// Whether a source already has a remark that the task is unknown.
  [[nodiscard]] bool is_unknown_in_source(std::string_view name) const {
    return std::ranges::any_of(files_, [&](const auto& file) {
      const std::string& path = sources_.file(file.first).path();
      return !file.second->is_packaged &&
             std::ranges::any_of(file.second->open, [&](const flyte::OpenPythonTask& task) {
               return is_task_of_source(name, task.name, path);
             });
    });
  }

  void add_package(const flyte::PythonTasks& tasks) {
    std::vector<flyte::OpenPythonTask> open = tasks.open;
    std::erase_if(open, [&](const auto& task) { return is_unknown_in_source(task.name); });
    if (auto rest = flyte::remark_on_open(open)) settings_.sdk_remarks.push_back(std::move(*rest));
    if (!tasks.document) return;
    for (const Node entry : root(*tasks.document).items()) {
      if (left_out_.contains({entry.document(), entry.index()})) continue;
      const std::string_view name = name_of(entry);
      auto same = declared_.find(name);
      if (same == declared_.end()) same = declared_.find(name.substr(name.rfind('.') + 1));
      if (same == declared_.end() || !flyte::variant_suffix(name).empty()) {
        settings_.tasks.push_back(entry);
      } else {
        compare(same->second, entry);
      }
    }
  }

  /// The packaged task for a task of a source; null if there is none, or several.
  [[nodiscard]] Node packaged_of(FileId file, std::string_view name) const {
    Node found;
    for (const Node entry : packaged_) {
      if (!is_task_of_source(name_of(entry), name, sources_.file(file).path())) continue;
      if (found) return {};
      found = entry;
    }
    return found;
  }

  /// Adds a remark if a task differs from its declaration elsewhere.
  void compare(const flyte::Task& declared, Node entry) {
    const FlyteVersion version = flyte::version_of_entry(entry);
    remark_difference(SdkRemark::Kind::other_declaration, entry,
                      declared.node ? flyte::read_task(declared.node, version) : declared);
  }

  void remark_difference(SdkRemark::Kind kind, Node entry, const flyte::Task& other) {
    const flyte::Task task = flyte::read_task(entry, flyte::version_of_entry(entry));
    const auto seen = describe_gpus(task);
    const auto known = describe_gpus(other);
    if (!seen || !known || *seen == *known) return;
    SdkRemark& remark = settings_.sdk_remarks.emplace_back();
    remark.kind = kind;
    remark.span = entry.get("name").span();
    remark.task = task.name;
    remark.seen = *seen;
    remark.known = *known;
    if (other.node) remark.other = other.node.span();
  }

  const TaskFiles& files_;
  const SourceSet& sources_;
  Settings& settings_;
  std::map<std::string, flyte::Task, std::less<>> declared_;
  std::vector<Node> packaged_;
  std::set<std::pair<const Document*, NodeIndex>> left_out_;  // packaged tasks with the same source
};

/// Whether the task itself requests GPUs or an accelerator.
[[nodiscard]] bool asks_for_gpus(const flyte::Task& task) {
  const std::vector<flyte::TaskResource> none;
  const auto asks = [](const flyte::TaskResource& each) {
    const std::string& name = each.name.value;
    return (name == "gpu" || is_gpu_resource(name)) && !each.amount.equals("0");
  };
  const auto any = [&](const std::vector<flyte::TaskResource>& amounts) {
    return std::ranges::any_of(amounts, asks);
  };
  return any(task.requests) || any(task.limits) || any(task.override_requests.value_or(none)) ||
         any(task.override_limits.value_or(none)) || flyte::accelerator_of(task) != nullptr;
}

[[nodiscard]] bool mentions_gpus(const SourceFile& file) {
  const std::string text = to_lower(file.text());
  return text.find("gpu") != text.npos || text.find("accelerator") != text.npos;
}

/// Tasks of one file that use one unknown PodTemplate.
struct UnknownBase {
  SdkRemark remark;
  std::size_t tasks = 0;
};

/// Removes tasks of sources and packages whose PodTemplate is missing or not unique, with a remark.
/// Also removes tasks that request no GPU even with their PodTemplate.
void drop_unknown_bases(const SourceSet& sources, const std::vector<const Document*>& documents,
                        Settings& settings) {
  const auto names_base = [](Node task) {
    return flyte::version_of_entry(task) != FlyteVersion::unknown && task.get("podTemplateName");
  };
  if (std::ranges::none_of(settings.tasks, names_base)) return;
  const auto known = flyte::find_base_pod_templates(documents);
  std::map<std::pair<FileId, std::string>, UnknownBase> open;
  std::erase_if(settings.tasks, [&](Node entry) {
    if (!names_base(entry)) return false;
    const flyte::Task task = flyte::read_task(entry, flyte::version_of_entry(entry));
    const std::string& name = task.pod_template_name.value;
    const flyte::BaseChoice base = flyte::choose_named_base(known.get(), name);
    const bool asks = asks_for_gpus(task);
    if (!base.is_open) return !asks && !flyte::asks_for_gpus(*base.found);
    const FileId file = entry.span().file;
    if (!asks && !mentions_gpus(sources.file(file))) return true;
    UnknownBase& of_file = open[{file, name}];
    if (of_file.tasks++ > 0) return true;
    const bool is_there =
        std::ranges::any_of(known == nullptr ? flyte::BasePodTemplates() : *known,
                            [&](const flyte::BasePodTemplate& each) { return each.name == name; });
    of_file.remark.span = entry.get("name").span();
    of_file.remark.task = task.name;
    of_file.remark.seen =
        is_there ? fmt::format("several PodTemplates have the name `{}`", name)
                 : fmt::format("PodTemplate `{}` is not in the files checked with this file", name);
    return true;
  });
  for (auto& [place, of_file] : open) {
    if (of_file.tasks > 1) of_file.remark.known = std::to_string(of_file.tasks);
    settings.sdk_remarks.push_back(std::move(of_file.remark));
  }
}

}  // namespace

void add_tasks(const TaskFiles& files, const SourceSet& sources,
               const std::vector<const Document*>& documents, Settings& settings) {
  if (files.empty()) return;
  Adder(files, sources, settings).run();
  drop_unknown_bases(sources, documents, settings);
  const bool is_open = settings.flyte_version == FlyteVersion::unknown &&
                       flyte::detect_version(documents) == FlyteVersion::unknown;
  if (is_open && !settings.tasks.empty() && std::ranges::all_of(settings.tasks, is_of_flyte2)) {
    settings.flyte_version = FlyteVersion::v2;
  }
}

}  // namespace gpulint
