#include "compiler/analysis/python_inputs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/analysis/python_modules.h"
#include "compiler/base/parallel.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/flyte/task.h"
#include "compiler/ir/python.h"
#include "frontend/python/imports.h"
#include "frontend/python/parse.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_of_flyte2(Node entry) {
  return flyte::version_of_entry(entry) == FlyteVersion::v2;
}

/// What a task asks of GPUs, as a remark tells it; nullopt where a part is not known.
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

/// A task that is declared elsewhere, too, and otherwise.
void compare_declarations(const flyte::Task& declared, Node entry, Settings& settings) {
  const FlyteVersion version = flyte::version_of_entry(entry);
  const flyte::Task task = flyte::read_task(entry, version);
  const auto seen = describe_gpus(task);
  const auto known =
      describe_gpus(declared.node ? flyte::read_task(declared.node, version) : declared);
  if (!seen || !known || *seen == *known) return;
  SdkRemark& remark = settings.sdk_remarks.emplace_back();
  remark.kind = SdkRemark::Kind::other_declaration;
  remark.span = entry.get("name").span();
  remark.task = task.name;
  remark.seen = *seen;
  remark.known = *known;
  if (declared.node) remark.other = declared.node.span();
}

}  // namespace

PythonInputs read_python_inputs(SourceSet& sources, const std::vector<InputFile>& inputs,
                                const std::vector<std::string>& others, const FileSystem& files,
                                unsigned jobs) {
  std::vector<FileId> read;
  for (const InputFile& input : inputs) {
    if (python::is_source(sources.file(input.id).path())) read.push_back(input.id);
  }
  const std::vector<python::Module> modules = parallel_map(
      read.size(), jobs, [&](std::size_t i) { return python::parse(sources.file(read[i])); });
  ModuleFinder finder(sources, files, modules, others);
  PythonInputs python;
  for (std::size_t i = 0; i < read.size(); ++i) {
    const SourceFile& file = sources.file(read[i]);
    const bool has_tasks = python::may_declare_tasks(file.text());
    python.emplace(read[i], has_tasks ? flyte::read_python_tasks(modules[i], file, &finder)
                                      : flyte::PythonTasks());
  }
  return python;
}

bool says_anything(const flyte::PythonTasks& tasks) {
  return tasks.document != nullptr || !tasks.remarks.empty();
}

void add_python_tasks(const PythonInputs& python, const std::vector<FileId>& files,
                      const std::vector<const Document*>& documents, Settings& settings) {
  if (python.empty()) return;
  std::map<std::string, flyte::Task, std::less<>> declared;
  for (flyte::Task& task : flyte::declared_tasks(settings, FlyteVersion::unknown)) {
    const bool is_python = task.node && flyte::version_of_entry(task.node) != FlyteVersion::unknown;
    if (!is_python) declared.try_emplace(task.name, std::move(task));
  }
  for (const FileId file : files) {
    const auto found = python.find(file);
    if (found == python.end()) continue;
    std::ranges::copy(found->second.remarks, std::back_inserter(settings.sdk_remarks));
    if (!found->second.document) continue;
    for (const Node entry : root(*found->second.document).items()) {
      const auto same = declared.find(entry.get("name").text());
      if (same == declared.end()) {
        settings.tasks.push_back(entry);
      } else {
        compare_declarations(same->second, entry, settings);
      }
    }
  }
  const bool is_open = settings.flyte_version == FlyteVersion::unknown &&
                       flyte::detect_version(documents) == FlyteVersion::unknown;
  if (is_open && !settings.tasks.empty() && std::ranges::all_of(settings.tasks, is_of_flyte2)) {
    settings.flyte_version = FlyteVersion::v2;
  }
}

}  // namespace gpulint
