#include "compiler/project/path_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

constexpr auto alternative_words = std::to_array<std::string_view>(
    {"demo", "demos", "doc", "docs", "e2e", "example", "examples", "fixture", "fixtures", "hack",
     "sample", "samples", "template", "templates", "test", "testdata", "tests", "tutorial",
     "tutorials"});

constexpr auto machine_words = std::to_array<std::string_view>({"aks",
                                                                "capi",
                                                                "cluster",
                                                                "eks",
                                                                "eksctl",
                                                                "gke",
                                                                "gpu",
                                                                "gpus",
                                                                "hardware",
                                                                "infra",
                                                                "infrastructure",
                                                                "karpenter",
                                                                "kops",
                                                                "machine",
                                                                "machines",
                                                                "node",
                                                                "nodegroup",
                                                                "nodegroups",
                                                                "nodepool",
                                                                "nodepools",
                                                                "nodes",
                                                                "platform",
                                                                "pool",
                                                                "pools",
                                                                "provisioner",
                                                                "provisioners",
                                                                "provisioning",
                                                                "terraform",
                                                                "tf"});

constexpr auto object_words = std::to_array<std::string_view>(
    {"claim",        "claims",         "class",       "classes",       "config",  "configmap",
     "configmaps",   "configs",        "device",      "devices",       "dra",     "mig",
     "crd",          "crds",           "flavor",      "flavors",       "knative", "kueue",
     "queue",        "queues",         "namespace",   "namespaces",    "nvidia",  "operator",
     "operators",    "plugin",         "quota",       "quotas",        "runtime", "runtimes",
     "runtimeclass", "runtimeclasses", "deviceclass", "deviceclasses", "shared"});

constexpr auto cluster_words = std::to_array<std::string_view>(
    {"accounts", "clusters", "env", "environment", "environments", "envs", "regions", "stages"});

/// Words that are not about machines and do not name a project.
constexpr auto neutral_words = std::to_array<std::string_view>(
    {"aws",       "azure", "base",   "central", "common",    "core",       "east",  "eu",
     "gcp",       "group", "groups", "k8s",     "kube",      "kubernetes", "main",  "manifest",
     "manifests", "ml",    "new",    "north",   "northeast", "pods",       "south", "southeast",
     "team",      "us",    "west",   "yaml",    "yamls"});

/// Spellings of environments, each with its common short name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> environments{
    {{"canary", "canary"},
     {"dev", "dev"},
     {"develop", "dev"},
     {"development", "dev"},
     {"lab", "lab"},
     {"nonprod", "nonprod"},
     {"preprod", "preprod"},
     {"prd", "prod"},
     {"prod", "prod"},
     {"production", "prod"},
     {"qa", "qa"},
     {"sandbox", "sandbox"},
     {"stage", "staging"},
     {"staging", "staging"},
     {"stg", "staging"},
     {"test", "test"},
     {"uat", "uat"}}};

/// Calls `is_enough` with the words of a path in lower case until it returns true.
template <class IsEnough>
bool find_word(std::string_view path, IsEnough is_enough) {
  std::string word;
  for (const char c : path) {
    if (is_alphanumeric(c)) {
      word += c;
    } else if (!word.empty()) {
      if (is_enough(to_lower(word))) return true;
      word.clear();
    }
  }
  return !word.empty() && is_enough(to_lower(word));
}

template <std::size_t n>
[[nodiscard]] bool has_word(std::string_view folder, const std::array<std::string_view, n>& words) {
  return find_word(folder, [&](const std::string& word) { return is_listed(words, word); });
}

}  // namespace

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? "" : path.substr(0, slash));
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::vector<std::string_view> folders_in(std::string_view path) {
  std::vector<std::string_view> folders;
  while (path.find('/') != std::string_view::npos) folders.push_back(take_part(path, '/'));
  return folders;
}

std::set<std::string> words_in(std::string_view path) {
  std::set<std::string> words;
  find_word(path, [&](std::string word) {
    words.insert(std::move(word));
    return false;
  });
  return words;
}

bool holds_alternatives(std::string_view folder) { return has_word(folder, alternative_words); }

bool holds_machines(std::string_view folder) {
  return has_word(folder, machine_words) || holds_clusters(folder);
}

bool holds_shared_objects(std::string_view folder) { return has_word(folder, object_words); }

bool holds_clusters(std::string_view folder) { return is_listed(cluster_words, to_lower(folder)); }

bool is_named_after_machines(std::string_view path) {
  const std::string folder = folder_of(path);
  return holds_machines(last_name(path)) || holds_machines(last_name(folder));
}

bool serves_folder(std::string_view path, std::string_view folder, FolderWords serves_around) {
  bool is_cluster = holds_clusters(last_name(folder));  // then the folder may have any name
  for (const std::string_view name :
       folders_in(path.substr(folder.empty() ? 0 : folder.size() + 1))) {
    if (holds_alternatives(name) || (!is_cluster && !serves_around(name))) return false;
    is_cluster = holds_clusters(name);
  }
  return true;
}

std::string outermost_served(std::string_view path) {
  std::string served = folder_of(path);
  for (std::string around = served; !around.empty();) {
    around = folder_of(around);
    if (serves_folder(path, around, holds_machines)) served = around;
  }
  return served;
}

bool is_inside(std::string_view path, std::string_view folder) {
  return folder.empty() || path == folder ||
         (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

bool has_foreign_word(std::string_view folder) {
  return std::ranges::any_of(words_in(folder), [](const std::string& word) {
    const bool is_known =
        is_listed(machine_words, word) || is_listed(object_words, word) ||
        is_listed(cluster_words, word) || is_listed(neutral_words, word) ||
        std::ranges::any_of(environments, [&](const auto& each) { return each.first == word; });
    return !is_known && std::ranges::none_of(word, is_digit);
  });
}

std::string environment_in(std::string_view path) {
  std::set<std::string> found;
  for (const std::string& word : words_in(path)) {
    const auto* entry =
        std::ranges::find(environments, word, [](const auto& e) { return e.first; });
    if (entry != environments.end()) found.emplace(entry->second);
  }
  return found.size() == 1 ? *found.begin() : "";
}

}  // namespace gpulint
