#include "compiler/why/change_steps.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/shell_word.h"
#include "compiler/edit/edits.h"
#include "compiler/generate/solve.h"
#include "compiler/generate/trial.h"
#include "compiler/ir/yaml_string.h"
#include "rules/support/flyte_queries.h"
#include "rules/support/pod_edits.h"

namespace gpulint {
namespace {

[[nodiscard]] bool lies_in(Span span, const Document& document) {
  Span whole = document.host == nullptr ? document.span : document.host->span;
  whole.file = document.file;
  return whole.contains(span);
}

[[nodiscard]] bool overlaps(const Edit& a, const Edit& b) {
  return a.span.begin < b.span.end && b.span.begin < a.span.end;
}

void add_edit(const Edit& edit, std::vector<Edit>& edits) {
  for (Edit& other : edits) {
    if (other == edit) return;
    if (other.span == edit.span && edit.span.empty()) {
      other.text += edit.text;
      return;
    }
    if (other.span == edit.span || overlaps(other, edit)) return;
  }
  edits.push_back(edit);
}

/// Sets keys and tolerations in `plugins.k8s`. If that section is missing, all of it is one fix.
class SettingWriter {
 public:
  SettingWriter(const flyte::LoadedRelease& release, const SourceSet& sources)
      : release_(release),
        config_(release.propeller),
        sources_(sources),
        section_(config_.find_setting("plugins.k8s")) {}

  [[nodiscard]] std::vector<Fix> write(const generate::Block& block) && {
    if (release_.documents.empty()) return {};
    set("gpu-resource-name", block.gpu_resource_name);
    set("gpu-device-node-label", block.device_label);
    set("gpu-partition-size-node-label", block.partition_label);
    if (section_) {
      add(by_resource(block.tolerations));
    } else {
      add_new(by_resource(block.tolerations));
      make_section();
    }
    return is_whole_ ? std::move(fixes_) : std::vector<Fix>{};
  }

 private:
  using ByResource = std::map<std::string, std::vector<rules::NewToleration>>;

  [[nodiscard]] static ByResource by_resource(
      const std::vector<generate::ResourceToleration>& tolerations) {
    ByResource result;
    for (const auto& [resource, key, op, value, effect] : tolerations) {
      result[resource].push_back({key, value, effect});
    }
    return result;
  }

  void push(std::string title, std::vector<Edit> edits) {
    is_whole_ = is_whole_ && !edits.empty();
    fixes_.push_back({Safety::unsafe, std::move(title), std::move(edits)});
  }

  void set(const std::string& key, const std::string& value) {
    if (value.empty()) return;
    if (!section_) {
      lines_.push_back(fmt::format("{}: {}", key, yaml_string(value)));
      return;
    }
    const Node present = config_.find_setting("plugins.k8s." + key);
    push(fmt::format("set `{}: {}`", key, value),
         present.is_scalar() ? replace_string(sources_, present, value)
                             : insert_entry(sources_, section_, key, yaml_string(value)));
  }

  void add(const ByResource& wanted) {
    const Node list = config_.find_setting("plugins.k8s.resource-tolerations");
    if (!list && wanted.size() > 1) {  // one new key holds them all
      std::string lines;
      for (const std::string& line : resource_lines(wanted)) lines += "\n" + line;
      push("set `resource-tolerations`",
           insert_entry(sources_, section_, "resource-tolerations", lines));
      return;
    }
    for (const auto& [resource, tolerations] : wanted) {
      std::vector<std::string_view> keys;
      for (const rules::NewToleration& each : tolerations) keys.push_back(each.key);
      push(
          fmt::format("tolerate `{}` for `{}`", fmt::join(keys, "`, `"), resource),
          rules::add_resource_tolerations(sources_, list ? list : section_, resource, tolerations));
    }
  }

  /// The same as lines of a new section.
  void add_new(const ByResource& wanted) {
    if (wanted.empty()) return;
    lines_.emplace_back("resource-tolerations:");
    for (std::string& line : resource_lines(wanted)) lines_.push_back(std::move(line));
  }

  [[nodiscard]] std::vector<std::string> resource_lines(const ByResource& wanted) const {
    const Node near = root(*release_.documents.back());
    std::vector<std::string> lines;
    for (const auto& [resource, tolerations] : wanted) {
      lines.push_back(fmt::format("  {}:", yaml_string(resource)));
      for (const ListItem& item : rules::toleration_items(near, tolerations)) {
        lines.push_back(fmt::format("    - {{{}}}", fmt::join(item, ", ")));
      }
    }
    return lines;
  }

  /// Inserts the section below its deepest parent in the last values file.
  void make_section() {
    if (lines_.empty()) return;
    const flyte::FlyteDocument known = flyte::recognize(*release_.documents.back());
    const Node top = known.root ? known.root : root(*release_.documents.back());
    NewPlace place =
        rules::find_plugin_section(rules::plugin_reader(flyte::kind_of(release_.chart)), top);
    if (place.keys.empty()) {  // `k8s:` without a value
      place = {place.mapping.parent(), {std::string(place.mapping.key().text())}, {}};
    }
    std::string value;
    std::string new_line = "\n  ";
    for (const std::string& key : place.keys | std::views::drop(1)) {
      value += new_line + key + ":";
      new_line += "  ";
    }
    for (const std::string& line : lines_) value += new_line + line;
    push(fmt::format("set `{}`", fmt::join(setting_names(), "`, `")),
         insert_entry(sources_, place.mapping, place.keys.front(), value));
  }

  [[nodiscard]] std::vector<std::string> setting_names() const {
    std::vector<std::string> names;
    for (const std::string& line : lines_) {
      if (!line.starts_with(' ')) names.push_back(line.substr(0, line.find(':')));
    }
    return names;
  }

  const flyte::LoadedRelease& release_;
  const flyte::FlyteConfig& config_;
  const SourceSet& sources_;
  Node section_;
  std::vector<std::string> lines_;  // of the missing section
  std::vector<Fix> fixes_;
  bool is_whole_ = true;
};

/// The solution of `generate` for the subject's release; nullopt if it has none.
[[nodiscard]] std::optional<generate::Problem> problem_of(const WhySubject& subject) {
  const flyte::Installation* const installation = subject.installation;
  const Cluster& cluster = subject.scope->corpus.cluster;
  if (installation == nullptr || !installation->loaded.has_propeller) return std::nullopt;
  if (!installation->loaded.propeller.problems.empty()) return std::nullopt;
  if (cluster.pools.empty() || installation->tasks.empty()) return std::nullopt;
  return generate::Problem{.cluster = &cluster,
                           .config = &installation->loaded.propeller,
                           .platform = &installation->loaded.platform,
                           .tasks = installation->tasks,
                           .admission = subject.subject.admission,
                           .runtime_classes = &subject.scope->corpus.runtime_classes};
}

}  // namespace

FileEdits merge_fixes(const std::vector<Fix>& fixes) {
  FileEdits edits;
  for (const Fix& fix : fixes) {
    for (const Edit& edit : fix.edits) add_edit(edit, edits[edit.span.file]);
  }
  for (auto& [file, some] : edits) std::ranges::sort(some);
  return edits;
}

bool may_edit(const WhySubject& subject, Span span) {
  for (const NodePool& pool : subject.scope->corpus.cluster.pools) {
    const bool is_node = pool.source == NodePool::Source::node && pool.node;
    if (is_node && pool.node.span().contains(span)) return false;
  }
  if (subject.installation != nullptr) {
    const flyte::Task* const task = subject.subject.task;
    if (task != nullptr && task->node && task->node.span().contains(span)) return true;
    return std::ranges::any_of(subject.installation->loaded.documents,
                               [&](const Document* document) { return lies_in(span, *document); });
  }
  const Workload& workload = *subject.subject.placement->workloads()[subject.subject.workload];
  const Node object = workload.object.written();
  if (object && object.span().contains(span)) return true;
  // The queue's manifest, if the queue added this to the pod.
  const auto is_of_queue = [&](const LabelEntry& entry) {
    const Document* const document = entry.key.node.document();
    return document != nullptr && lies_in(span, *document);
  };
  if (workload.origin == Workload::Origin::queued &&
      std::ranges::any_of(workload.pod.node_selector, is_of_queue)) {
    return true;
  }
  // The source file, if kustomize merged this.
  return workload.object.document() != nullptr && !workload.object.document()->origins.empty();
}

std::vector<Edit> tolerate_edits(const WhySubject& subject, const std::vector<Term>& terms,
                                 const SourceSet& sources) {
  std::vector<rules::NewToleration> wanted;
  for (const Term& term : terms) {
    wanted.push_back({term.key, term.values.empty() ? "" : term.values.front(), term.effect});
  }
  const PodSpec& pod = *subject.subject.prepared().spec;
  if (subject.subject.pod == nullptr) return rules::add_tolerations(sources, pod, wanted);
  const std::string resource = generate::gpu_resource_of(subject.subject.prepared());
  if (resource.empty() || !pod.tolerations_node) return {};
  return rules::add_resource_tolerations(sources, pod.tolerations_node, resource, wanted);
}

std::vector<Fix> generated_fixes(const WhySubject& subject, const SourceSet& sources) {
  const auto problem = problem_of(subject);
  if (!problem || subject.installation->loaded.documents.empty()) return {};
  return SettingWriter(subject.installation->loaded, sources)
      .write(generate::solve(*problem).block);
}

std::optional<why::Way> way_by_generating(const WhySubject& subject, const Request& request) {
  const auto problem = problem_of(subject);
  if (!problem || !subject.installation->loaded.documents.empty()) return std::nullopt;
  if (subject.subject.task == nullptr) return std::nullopt;
  const generate::Block block = generate::solve(*problem).block;
  const Ternary fits =
      generate::try_task(*problem, generate::with_block(*problem->config, block),
                         generate::with_block(*problem->platform, block), *subject.subject.task);
  if (fits != Ternary::yes) return std::nullopt;
  why::Way way{
      .title = "set the Flyte values that match these nodes", .commands = {}, .remark = {}};
  std::string command = "gpulint generate";
  for (const std::string& path : request.paths) command += " " + shell_word(path);
  for (const std::string& path : request.nodes) command += " --nodes " + shell_word(path);
  for (const std::string& spec : request.tasks) command += " --task " + shell_word(spec);
  way.commands.push_back(command + " > gpu-values.yaml");
  return way;
}

}  // namespace gpulint
