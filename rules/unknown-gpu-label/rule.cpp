#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/field.h"
#include "compiler/ir/node.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/pools/cluster.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::unknown_gpu_label {
namespace {

using Words = std::vector<std::string>;

/// The words of a name in lower case, sorted, without the brand.
[[nodiscard]] Words words_of(std::string_view name) {
  Words words;
  std::string folded = to_lower(name);
  std::ranges::replace(folded, '_', '-');
  std::string_view rest = folded;
  while (!rest.empty()) {
    const std::string_view word = take_part(rest, '-');
    if (word == "nvidia" || word == "tesla" || word.empty()) continue;
    const bool is_short = word.find_first_not_of("0123456789") == word.size() - 1 &&
                          word.ends_with('g');  // `80g` for `80gb`
    words.emplace_back(fmt::format("{}{}", word, is_short ? "b" : ""));
  }
  std::ranges::sort(words);
  return words;
}

/// Products differ in words with digits: `b300` is not a misspelt `gb300`.
[[nodiscard]] Words models_of(std::string_view name) {
  Words models = words_of(name);
  std::erase_if(models, [](const std::string& word) {
    return word.find_first_of("0123456789") == std::string::npos;
  });
  return models;
}

[[nodiscard]] std::string digits_of(std::string_view name) {
  std::string digits;
  std::ranges::copy_if(name, std::back_inserter(digits),
                       [](char c) { return c >= '0' && c <= '9'; });
  return digits;
}

[[nodiscard]] bool has_word(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// The name with the same words, else the only one with a similar spelling; empty if there is none.
[[nodiscard]] std::string same_or_near(std::string_view value,
                                       const std::vector<std::string_view>& names) {
  const Words words = words_of(value);
  for (const std::string_view name : names) {
    if (words_of(name) == words) return std::string(name);
  }
  std::vector<std::string_view> alike;
  std::ranges::copy_if(names, std::back_inserter(alike), [&](std::string_view name) {
    const std::size_t most = std::min(value.size(), name.size()) < 16 ? 2 : 3;
    return models_of(name) == models_of(value) && edit_distance(value, name, most) <= most;
  });
  return alike.size() == 1 ? std::string(alike.front()) : std::string{};
}

[[nodiscard]] std::vector<std::string_view> names_in(DeviceVocabulary vocabulary) {
  std::vector<std::string_view> names;
  for (const DeviceName& device : device_names()) {
    if (device.vocabulary == vocabulary) names.push_back(device.value);
  }
  return names;
}

/// Names of other tools have the same words, or fewer: `nvidia-b300` is not a GB300.
[[nodiscard]] std::string translate(DeviceVocabulary vocabulary, std::string_view value) {
  const Words words = words_of(value);
  for (const std::string_view name : device_values_in(vocabulary, value)) {
    if (std::ranges::includes(words_of(name), words)) return std::string(name);
  }
  return {};
}

/// The driver's name of a GPU that the words give a form factor it does not have: SXM4 is the
/// A100's, and the 80 GB H100 of SXM5 is "NVIDIA H100 80GB HBM3".
[[nodiscard]] std::string other_form(const Words& words) {
  const bool has_socket =
      std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("sxm"); });
  if (has_word(words, "h100") &&
      (has_word(words, "sxm4") || (has_socket && has_word(words, "80gb")))) {
    return "NVIDIA-H100-80GB-HBM3";
  }
  if (has_word(words, "h200") && has_word(words, "sxm4")) return "NVIDIA-H200";
  if (has_word(words, "a100") && (has_word(words, "sxm5") || has_word(words, "hbm3"))) {
    return has_word(words, "80gb") ? "NVIDIA-A100-SXM4-80GB" : "NVIDIA-A100-SXM4-40GB";
  }
  return {};
}

/// A known product of the same words and another brand: drivers say "Tesla T4" and "NVIDIA L4".
/// Drivers before 2021 left NVIDIA out, so older GPUs may be without it.
[[nodiscard]] std::string other_brand(std::string_view value, const Words& words,
                                      const std::vector<std::string_view>& known) {
  static constexpr std::array<std::string_view, 8> later = {"l4",   "l40s", "h100",  "h200",
                                                            "b200", "b300", "gb200", "gb300"};
  const bool is_branded = value.starts_with("NVIDIA-") || value.starts_with("Tesla-");
  const bool is_later =
      std::ranges::any_of(later, [&](std::string_view name) { return has_word(words, name); });
  if (!is_branded && !is_later) return {};
  std::vector<std::string_view> same;
  std::ranges::copy_if(known, std::back_inserter(same),
                       [&](std::string_view name) { return words_of(name) == words; });
  return same.size() == 1 ? std::string(same.front()) : std::string{};
}

[[nodiscard]] std::string meant_product(std::string_view value) {
  const std::string_view whole = whole_product(value);
  const std::vector<std::string_view> known = names_in(DeviceVocabulary::gfd);
  if (is_listed(known, whole)) return {};
  const Words words = words_of(whole);
  if (std::string other = other_form(words); !other.empty()) return other;
  // Products have capital letters: `Tesla`, `NVIDIA`. Others may be of a GPU that is not listed.
  if (to_lower(whole) != whole) return other_brand(whole, words, known);
  if (std::string name = translate(DeviceVocabulary::gfd, whole); !name.empty()) return name;
  const auto same =
      std::ranges::find_if(known, [&](std::string_view name) { return words_of(name) == words; });
  return same == known.end() ? std::string{} : std::string(*same);
}

/// All values of the label, if one provider alone sets it; else none.
[[nodiscard]] std::vector<std::string_view> values_by_provider(
    const std::vector<const ProviderLabel*>& setters) {
  if (setters.size() != 1 || setters.front()->set_by != "provider") return {};
  return {setters.front()->values.begin(), setters.front()->values.end()};
}

/// Known label keys about GPUs, without patterns.
[[nodiscard]] std::vector<std::string_view> known_keys() {
  static constexpr std::array<std::string_view, 7> roles = {
      "device", "presence", "count", "partition", "memory", "vendor", "tpu device"};
  std::vector<std::string_view> keys;
  for (const ProviderLabel& label : provider_labels()) {
    const bool is_whole = label.key.find_first_of("*{<") == std::string_view::npos;
    const bool is_chosen_by = is_listed(roles, label.role) && label.key.find('/') != label.key.npos;
    if (is_whole && is_chosen_by && mentions_gpu(label.key)) {
      keys.push_back(label.key);
    }
  }
  return keys;
}

/// Domains in which only the provider sets labels.
[[nodiscard]] bool is_providers(std::string_view domain) {
  static constexpr std::array<std::string_view, 3> domains = {
      "cloud.google.com", "eks.amazonaws.com", "kubernetes.azure.com"};
  return is_listed(domains, domain);
}

/// `eks.amazonaws.com/accelerator`, `cloud.google.com/gke-accelerator-type`.
[[nodiscard]] bool is_variant(std::string_view key, std::string_view known) {
  const std::string_view domain = key.substr(0, key.find('/'));
  if (!is_providers(domain)) return false;
  const std::string_view name = key.substr(domain.size());
  const std::string_view known_name = known.substr(known.find('/'));
  static constexpr std::array<std::string_view, 4> words = {"-kind", "-model", "-name", "-type"};
  const bool is_longer = key.starts_with(known) && is_listed(words, key.substr(known.size()));
  return is_longer || (name == known_name && name == "/accelerator");
}

void add_selected_keys(const PodSpec& pod, std::set<std::string>& keys) {
  for (const LabelEntry& label : pod.node_selector) keys.insert(label.key.value);
  for (const SelectorTerm& term : pod.node_affinity.required) {
    for (const SelectorRequirement& requirement : term.expressions) {
      keys.insert(requirement.key.value_or(""));
    }
  }
}

[[nodiscard]] std::set<std::string> selected_keys(const Corpus& corpus) {
  std::set<std::string> keys;
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) add_selected_keys(workload.pod, keys);
  }
  return keys;
}

void report(const Corpus& corpus, const NodePool& pool, const PoolLabel& label,
            const std::string& meant, Reporter& reporter) {
  reporter
      .report(label.node, "no cloud provider, operator or pod uses the label `{}` of {}", label.key,
              describe(pool))
      .help("use the label `{0}`. Otherwise the pool may not match pods that select `{0}`", meant)
      .fix(Safety::unsafe, fmt::format("write `{}`", meant),
           replace_string(*corpus.sources, label.node, meant));
}

/// A Node's label that GPU Feature Discovery has set; nothing if none shows that it runs.
[[nodiscard]] Node find_discovered(const Corpus& corpus) {
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source != NodePool::Source::node) continue;
    for (const PoolLabel& label : pool.labels) {
      if (label.key == product_label && label.node) return value_node(label);
    }
  }
  return {};
}

/// The right value for one that no GPU has: another tool's name, other letter case or word order, a
/// form factor that the GPU does not have. Empty if the value is right or may be new.
[[nodiscard]] std::string meant_value(std::string_view key, std::string_view value) {
  // AKS labels GPU nodes with the vendor alone (AKS, "Use GPUs").
  if (key == "kubernetes.azure.com/accelerator") {
    return value == "nvidia" || value == "amd" ? std::string{} : std::string("nvidia");
  }
  const auto vocabulary = vocabulary_of_label(key);
  if (vocabulary == DeviceVocabulary::gfd) return meant_product(value);
  const auto setters = labels_with_key(key);
  const bool is_users = std::ranges::any_of(
      setters, [](const ProviderLabel* label) { return label->set_by == "user"; });
  if (is_users) return {};  // with whatever value
  std::vector<std::string_view> possible = device_values_of_label(key);
  if (possible.empty()) possible = values_by_provider(setters);
  if (possible.empty() || is_listed(possible, value)) return {};
  if (vocabulary) {
    if (std::string name = translate(*vocabulary, value); !name.empty()) return name;
  }
  return same_or_near(value, possible);
}

/// GPU Feature Discovery overwrites the product label that a pool declares.
void check_product(const Corpus& corpus, const NodePool& pool, const PoolLabel& label,
                   Node discovered, Reporter& reporter) {
  const std::string meant = meant_value(label.key, label.values.front());
  const Node value = value_node(label);
  if (meant.empty() || !value || value.text() != label.values.front()) return;
  reporter
      .report(value,
              "{} declares the GPU name `{}`, but GPU Feature Discovery does not use this name",
              describe(pool), value.text())
      .related(discovered, "GPU Feature Discovery sets the label on nodes, as on this node")
      .help(
          "write `{0}` here and in pods that select `{1}`. Otherwise the pods stay Pending, "
          "because GPU Feature Discovery sets `{0}` on running nodes",
          meant, value.text())
      .fix(Safety::unsafe, fmt::format("write `{}`", meant),
           replace_string(*corpus.sources, value, meant));
}

/// The right label for a key that no tool sets: a misspelt GPU label, one with an extra word, or
/// one in a provider's domain that has another name there. Empty if there is none.
[[nodiscard]] std::string meant_label(std::string_view key) {
  if (key.find('/') == key.npos || !labels_with_key(key).empty()) return {};
  const std::vector<std::string_view> keys = known_keys();
  for (const std::string_view known : keys) {
    const bool is_slip = digits_of(known) == digits_of(key) && edit_distance(key, known, 2) <= 2 &&
                         (key.find("tpu") == key.npos) == (known.find("tpu") == known.npos);
    if (is_slip) return std::string(known);
  }
  for (const std::string_view known : keys) {
    const bool is_device = std::ranges::any_of(
        labels_with_key(known), [](const ProviderLabel* label) { return label->role == "device"; });
    if (is_device && is_variant(key, known)) return std::string(known);
  }
  return {};
}

/// The standard label that the key misspells by a letter or two; empty if there is none.
[[nodiscard]] std::string meant_standard_label(std::string_view key) {
  static constexpr std::array<std::string_view, 6> standard = {"node.kubernetes.io/instance-type",
                                                               "topology.kubernetes.io/zone",
                                                               "topology.kubernetes.io/region",
                                                               "kubernetes.io/hostname",
                                                               "kubernetes.io/arch",
                                                               "beta.kubernetes.io/instance-type"};
  const std::size_t slash = key.find('/');
  if (slash == key.npos || !key.substr(0, slash).ends_with("kubernetes.io")) return {};
  for (const std::string_view label : standard) {
    if (key == label) return {};
  }
  for (const std::string_view label : standard) {
    const std::size_t most = label.size() - label.find('/') > 6 ? 2 : 1;
    if (edit_distance(key, label, most) <= most) return std::string(label);
  }
  return {};
}

/// EKS Auto Mode has `eks.amazonaws.com/…` where Karpenter on AWS has `karpenter.k8s.aws/…`. Empty
/// for other keys, or if some pool is not of Auto Mode.
[[nodiscard]] std::string meant_on_auto_mode(const Cluster& cluster, std::string_view key) {
  constexpr std::string_view karpenters = "karpenter.k8s.aws/";
  if (!key.starts_with(karpenters)) return {};
  bool has_any = false;
  for (const NodePool& pool : cluster.pools) {
    if (pool.karpenter == nullptr) continue;
    const Node reference = pool.node.at("spec", "template", "spec", "nodeClassRef");
    if (!read_string(reference, "group").equals("eks.amazonaws.com")) return {};
    has_any = true;
  }
  return has_any ? fmt::format("eks.amazonaws.com/{}", key.substr(karpenters.size()))
                 : std::string{};
}

/// Whether a rule with more knowledge has already reported the place.
[[nodiscard]] bool is_told(std::span<const Diagnostic> found, Node where) {
  const Span span = where.span();
  return std::ranges::any_of(found, [&](const Diagnostic& finding) {
    return finding.span.file == span.file && finding.span.begin < span.end + 1 &&
           span.begin < finding.span.end + 1 && !is_of_whole_document(finding.span, where);
  });
}

/// Labels of declared pools, unless a pod selects exactly that name; and product labels with a name
/// that GPU Feature Discovery does not use, if it is known to run.
void check_pool_labels(const Corpus& corpus, std::span<const Diagnostic> found,
                       Reporter& reporter) {
  const std::set<std::string> selected = selected_keys(corpus);
  const Node discovered = find_discovered(corpus);
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source == NodePool::Source::node) continue;
    for (const PoolLabel& label : pool.labels) {
      if (label.known != PoolLabel::Known::exact) continue;
      if (label.key == product_label && discovered) {
        check_product(corpus, pool, label, discovered, reporter);
      }
      if (selected.contains(label.key)) continue;
      const std::string meant = meant_label(label.key);
      const Node key = label.node;
      if (meant.empty() || !key || key.text() != label.key || is_told(found, key)) continue;
      report(corpus, pool, label, meant, reporter);
    }
  }
}

/// If `value` is an unknown instance type of an EC2 family with GPUs, the types of that family:
/// `p4d.24xlarge` for `p4d.12xlarge`. Empty if the type is known, or its family is not.
[[nodiscard]] std::string types_of_family(std::string_view key, std::string_view value) {
  const std::size_t dot = value.find('.');
  if (!key.ends_with("kubernetes.io/instance-type") || dot == value.npos) return {};
  if (find_machine(value) != nullptr) return {};
  const std::vector<const Machine*> family = machines_of_family(value.substr(0, dot));
  const bool has_gpus = std::ranges::any_of(
      family, [](const Machine* machine) { return !machine->accelerators.empty(); });
  if (!has_gpus) return {};
  std::vector<std::string_view> types;
  for (const Machine* machine : family) types.push_back(machine->type);
  return fmt::format("`{}`", fmt::join(types, "`, `"));
}

void report_type(Reporter& reporter, const Field<std::string>& value, std::string_view types) {
  reporter.report(value.node(), "unknown instance type `{}`", value.value())
      .help("use an instance type of the same family: {}. Otherwise the pod may stay Pending",
            types);
}

/// Whether a node or pool has the label, with the value unless that is empty.
[[nodiscard]] bool is_carried(const Corpus& corpus, const std::string& key,
                              const std::string& value) {
  return std::ranges::any_of(corpus.cluster.pools, [&](const NodePool& pool) {
    return std::ranges::any_of(pool.labels, [&](const PoolLabel& label) {
      if (label.key != key) return false;
      return value.empty() || std::ranges::find(label.values, value) != label.values.end();
    });
  });
}

class Check {
 public:
  Check(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter)
      : corpus_(corpus), found_(found), reporter_(reporter) {}

  void check(const PodSpec& pod) {
    requests_gpu_ = requests_gpu(pod);
    for (const LabelEntry& label : pod.node_selector) {
      check_key(label.key.value, label.key.node);
      check_value(label.key.value, label.key.node, label.value);
    }
    for (const SelectorTerm& term : pod.node_affinity.required) {
      for (const SelectorRequirement& requirement : term.expressions) check(requirement);
    }
  }

 private:
  /// One right value among several is enough.
  void check(const SelectorRequirement& requirement) {
    const bool keeps_off = requirement.op.equals("NotIn") || requirement.op.equals("DoesNotExist");
    if (!requirement.key.is_known() || keeps_off) return;
    const std::string& key = requirement.key.value();
    check_key(key, requirement.key.node());
    const auto is_wrong = [&](const Field<std::string>& value) {
      return value.is_known() && (!meant_value(key, value.value()).empty() ||
                                  !types_of_family(key, value.value()).empty());
    };
    if (!requirement.op.equals("In") || !std::ranges::all_of(requirement.values, is_wrong)) return;
    for (const Field<std::string>& value : requirement.values) {
      check_value(key, requirement.key.node(), value);
    }
  }

  void check_key(const std::string& key, Node where) {
    std::string meant = meant_label(key);
    if (meant.empty() && requests_gpu_) meant = meant_standard_label(key);
    const bool is_on_auto_mode = meant.empty();
    if (is_on_auto_mode) meant = meant_on_auto_mode(corpus_.cluster, key);
    if (meant.empty() || !where || is_told(found_, where) || is_carried(corpus_, key, {})) return;
    reporter_
        .report(
            where, "{} the node label `{}`",
            is_on_auto_mode ? "EKS Auto Mode does not set" : "no cloud provider or operator sets",
            key)
        .help("use the label `{}`. Otherwise the pod may stay Pending", meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus_.sources, where, meant));
  }

  void check_value(const std::string& key, Node key_node, const Field<std::string>& value) {
    if (!value.is_known() || !value.node() || fits_nowhere(key_node)) return;
    check_type(key, value);
    const std::string meant = meant_value(key, value.value());
    if (meant.empty() || is_settled(key, value)) return;
    reporter_.report(value.node(), "no GPU node has the label `{}={}`", key, value.value())
        .help("use the value `{}`. Otherwise the pod may stay Pending", meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus_.sources, value.node(), meant));
  }

  /// no-node-fits points at the key of a value that no node has.
  [[nodiscard]] bool fits_nowhere(Node key) const {
    return key && std::ranges::any_of(found_, [&](const Diagnostic& finding) {
             return finding.rule->id == "no-node-fits" && finding.span == key.span();
           });
  }

  [[nodiscard]] bool is_settled(const std::string& key, const Field<std::string>& value) const {
    return is_told(found_, value.node()) || is_carried(corpus_, key, value.value());
  }

  void check_type(const std::string& key, const Field<std::string>& value) {
    const std::string types = types_of_family(key, value.value());
    if (!types.empty() && !is_settled(key, value)) report_type(reporter_, value, types);
  }

  const Corpus& corpus_;
  std::span<const Diagnostic> found_;
  Reporter& reporter_;
  bool requests_gpu_ = false;
};

void check_after(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  Check check(corpus, found, reporter);
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) check.check(workload.pod);
  }
  check_pool_labels(corpus, found, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe},
                                 .check_after = check_after};

}  // namespace gpulint::rules::unknown_gpu_label
