#include "compiler/project/read_summary.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>

#include "compiler/base/counted.h"
#include "compiler/flyte/python_entry.h"
#include "compiler/project/event_texts.h"
#include "compiler/project/inputs_read.h"
#include "compiler/project/project.h"

namespace gpulint {
namespace {

/// Texts that people pass instead of objects, and what to pass instead.
struct Lookalike {
  const char* pattern;
  std::string_view why;
};
constexpr Lookalike lookalikes[] = {
    {R"(\s*NAME +STATUS +ROLES)", "a table of `kubectl get nodes`. Add `-o yaml` to the command"},
    {R"(\s*(NAMESPACE +)?NAME +READY)",
     "a table of `kubectl get pods`. Add `-o yaml` to the command"},
    {R"((?s)\s*Name: .*\n(Labels|Roles|Namespace): )",
     "output of `kubectl describe`. Use `kubectl get -o yaml` instead"},
    {R"((?s).*\b(resource|module|provider) +"[^"]+".*\{)",
     "Terraform source; use the output of `terraform show -json` for a plan or state"},
    {R"((?s).*(^|\n)kind: *(HelmRelease|Application|HelmChart)\s)",
     "a release without values of its own; also name the files that its values come from (gpulint "
     "reads no single settings, and of a Secret only `stringData`)"},
    {R"((?s).*(^|\n)(from +\w|import +\w|def +\w))",
     "Python without a task that requests GPUs explicitly; declare the task with --task or in "
     "gpulint.yaml"}};

constexpr std::string_view events_are_read = "events, which `gpulint why` reads";

[[nodiscard]] std::string_view guess(std::string_view text) {
  if (!events_in(text).empty()) return events_are_read;
  const std::string_view begin = text.substr(0, 4096);
  for (const Lookalike& each : lookalikes) {
    if (RE2::FullMatch(re2::StringPiece(begin.data(), begin.size()),
                       std::string("(?s)") + each.pattern + ".*")) {
      return each.why;
    }
  }
  return {};
}

using Place = std::pair<FileId, std::uint32_t>;

[[nodiscard]] Place place_of(Node node) { return {node.span().file, node.span().begin}; }

void add_release_file(const Project& project, const flyte::Installation& installation,
                      std::vector<std::string>& files) {
  for (const Document* document : installation.loaded.documents) {
    const std::string& path = project.sources.file(document->file).path();
    if (std::ranges::find(files, path) == files.end()) files.push_back(path);
  }
}

[[nodiscard]] std::string name_files(const std::vector<std::string>& files) {
  constexpr std::size_t most_files = 3;
  if (files.empty()) return "";
  const std::size_t shown = files.size() <= most_files ? files.size() : most_files - 1;
  std::string names = fmt::format(
      "{}", fmt::join(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < files.size()) names += fmt::format(" and {} more", files.size() - shown);
  return fmt::format(" ({})", names);
}

/// Whether the name of a file is that of YAML or JSON.
[[nodiscard]] bool is_yaml_by_name(std::string_view path) {
  return std::ranges::any_of(std::array<std::string_view, 3>{".yaml", ".yml", ".json"},
                             [&](std::string_view end) { return path.ends_with(end); });
}

}  // namespace

ReadSummary summarize_reading(const Project& project) {
  ReadSummary read;
  std::set<Place> seen;
  std::set<std::pair<Place, Place>> seen_pods;
  using Documents = std::vector<const Document*>;
  std::map<Documents, std::size_t> releases;  // scopes may share one
  for (const Scope& scope : project.scopes) {
    for (const NodePool& pool : scope.corpus.cluster.pools) {
      if (!seen.insert(place_of(pool.node)).second) continue;
      ++(pool.source == NodePool::Source::node ? read.nodes : read.pools);
    }
    for (const Workload& workload : scope.corpus.workloads) {
      if (project.context_only.contains(workload.object.span().file)) continue;
      // Several uses of one pod template count separately.
      const Place use = workload.use ? place_of(workload.use) : Place{};
      if (seen_pods.emplace(place_of(workload.pod.node), use).second) ++read.workloads;
    }
    if (scope.flyte.installations.empty()) {
      read.tasks +=
          static_cast<std::size_t>(std::ranges::count_if(scope.settings.tasks, [](Node task) {
            return flyte::version_of_entry(task) != FlyteVersion::unknown;
          }));
    }
    std::map<Documents, std::size_t> here;
    for (const flyte::Installation& installation : scope.flyte.installations) {
      ++here[installation.loaded.documents];
    }
    for (const auto& [documents, count] : here) {
      std::size_t& known = releases[documents];
      known = std::max(known, count);
    }
    for (const flyte::Installation& installation : scope.flyte.installations) {
      add_release_file(project, installation, read.release_files);
      for (const flyte::CompiledPod& pod : installation.pods) {
        ++(pod.workload.is_assumed ? read.assumed_tasks : read.tasks);
      }
    }
    std::string why = why_joined(scope, project.sources);
    if (why.empty()) continue;
    JoinedFiles& joined = read.joins.emplace_back();
    for (const FileId file : scope.files) joined.files.push_back(project.sources.file(file).path());
    joined.because = std::move(why);
  }
  if (releases.size() > 1) releases.erase(Documents{});  // tasks of scopes without its values
  for (const auto& [documents, count] : releases) read.releases += count;
  for (const FileId file : project.inputs) {
    const auto python = project.python.find(file);
    const bool has_tasks = python != project.python.end() && python->second.document;
    const bool is_read = !project.documents[file].empty() || has_tasks;
    if (!is_read && !project.context_only.contains(file)) ++read.skipped;
  }
  for (const events::Event& event : find_events(project).events) {
    const std::string& pod = event.subject.name;
    if (std::ranges::find(read.waiting, pod) == read.waiting.end()) read.waiting.push_back(pod);
  }
  for (const FileId file : named_without_content(project)) {
    const SourceFile& source = project.sources.file(file);
    read.not_read.push_back({source.path(), std::string(guess(source.text())), {}});
  }
  for (const auto& input : project.rendered.all) {
    if (input->error.empty()) continue;
    read.not_read.push_back(
        {input->folder, input->error,
         input->is_chart() ? "the chart does not render" : "kustomize cannot build it"});
  }
  read.is_nothing = !reads_anything(project);
  return read;
}

std::string describe(const ReadSummary& read) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, std::string_view noun, std::string_view more = "") {
    if (count > 0) parts.push_back(fmt::format("{}{}", count_text(count, noun), more));
  };
  add(read.nodes, "node");
  add(read.pools, "node pool");
  add(read.releases, "Flyte release", name_files(read.release_files));
  add(read.workloads, "workload");
  add(read.tasks, "task");
  add(read.assumed_tasks, "task", " (assumed)");
  if (parts.empty()) return "read: neither nodes nor workloads nor a Flyte release";
  return fmt::format("read: {}", fmt::join(parts, ", "));
}

void explain_other_languages(const Project& project, std::vector<Diagnostic>& findings) {
  for (Diagnostic& finding : findings) {
    const SourceFile& file = project.sources.file(finding.span);
    if (finding.rule->id != "yaml-syntax" || is_yaml_by_name(file.path())) continue;
    const std::string_view why = guess(file.text());
    if (why == events_are_read) {
      finding.help = fmt::format("the file contains {}: run it with the same arguments", why);
    } else if (!why.empty()) {
      finding.help = fmt::format("the text looks like {}", why);
    }
  }
}

std::string describe(const UnreadFile& file) {
  if (!file.trouble.empty()) return fmt::format("{}: {}: {}", file.file, file.trouble, file.why);
  if (file.why == events_are_read) return fmt::format("{}: contains {}", file.file, file.why);
  return file.why.empty() ? fmt::format("{}: contains nothing that gpulint reads", file.file)
                          : fmt::format("{}: contains nothing that gpulint reads: it looks like {}",
                                        file.file, file.why);
}

}  // namespace gpulint
