#include "rules/invalid-node-pool/karpenter_flaws.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/counted.h"
#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/karpenter_catalog.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/pools/karpenter_machines.h"
#include "compiler/model/pools/pod_limit.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/validate_karpenter_requirement.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/karpenter_machine_fit.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/terms.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_node_pool {
namespace {

constexpr std::array<std::string_view, 6> operators = {"In",           "NotIn", "Exists",
                                                       "DoesNotExist", "Gt",    "Lt"};

constexpr std::string_view refused = "Otherwise Karpenter creates no node for the pool";

/// Reports a word that is not in a fixed set. The fix corrects letter case and spelling.
template <std::size_t Size>
void report_word(const Corpus& corpus, Reporter& reporter, const Field<std::string>& field,
                 const std::array<std::string_view, Size>& words, std::string_view what,
                 std::string_view effect) {
  Finding finding = reporter.report(field.node(), "`{}` is not a valid {}",
                                    field.is_known() ? field.value() : field.node().text(), what);
  finding.help("use one of `{}`. {}", fmt::join(words, "`, `"), effect);
  const auto meant = nearest(field.node().text(), words);
  if (!meant) return;
  finding.fix(Safety::safe, fmt::format("write `{}`", *meant),
              replace_string(*corpus.sources, field.node(), *meant));
}

/// Reports `true` and `1` where the CRD has strings. Returns whether it was one.
bool report_unquoted(const Corpus& corpus, Reporter& reporter, const Field<std::string>& field,
                     std::string_view what) {
  if (!field.is_mistyped() || !field.node().is_scalar()) return false;
  reporter
      .report(field.node(), "{} must be a string, but YAML reads `{}` as a {}", what,
              field.node().text(), read_type(field.node()))
      .help("quote the value. {}", refused)
      .fix(Safety::safe, "quote the value", quote(*corpus.sources, field.node()));
  return true;
}

/// How to correct a requirement that Karpenter rejects.
[[nodiscard]] std::string_view correction_of(const SelectorRequirement& requirement) {
  if (!is_label_key(normalized_label(requirement.key.value_or("")))) {
    return "write a valid label key, such as `node.kubernetes.io/instance-type`";
  }
  const bool are_valid = std::ranges::all_of(
      requirement.values,
      [](const Field<std::string>& value) { return is_label_value(value.value_or("")); });
  if (!are_valid) {
    return "use at most 63 characters for each value, only `-`, `_`, `.`, letters and digits";
  }
  if (!requirement.op.equals("In")) return "write one whole number in `values`, 0 or more";
  return requirement.values.empty() ? "add a value to `values`"
                                    : "write at least as many values as `minValues` requires";
}

void report_bad_values(const Corpus& corpus, const SelectorRequirement& requirement,
                       Reporter& reporter) {
  const std::string key = requirement.key.value_or("");
  for (const WellKnownValues& known : karpenter_well_known_values()) {
    if (known.label != normalized_label(key)) continue;
    for (const Field<std::string>& value : requirement.values) {
      if (!value.is_known() || is_listed(known.values, value.value())) continue;
      Finding finding =
          reporter.report(value.node(), "`{}` is not a valid value of `{}`", value.value(), key);
      finding.help("use one of `{}`. {}", fmt::join(known.values, "`, `"), refused);
      const auto meant = nearest(value.value(), known.values);
      if (meant) {
        finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
                    replace_string(*corpus.sources, value.node(), *meant));
      }
    }
    return;
  }
  reporter.report(requirement.node, "Karpenter rejects the requirement for the label `{}`", key)
      .help("{}. {}", correction_of(requirement), refused);
}

[[nodiscard]] Node node_class_of(const NodePool& pool) {
  return pool.node.at("spec", "template", "spec", "nodeClassRef");
}

/// EKS Auto Mode has its own labels instead of `karpenter.k8s.aws/…` of Karpenter on AWS (Amazon
/// EKS user guide, "Create a Node Pool for EKS Auto Mode").
void check_auto_mode(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  constexpr std::string_view karpenters = "karpenter.k8s.aws/";
  const Node group = node_class_of(pool).get("group");
  if (!read_string(node_class_of(pool), "group").equals("eks.amazonaws.com")) return;
  for (const SelectorRequirement& requirement : pool.karpenter->stated) {
    const std::string key = requirement.key.value_or("");
    if (!key.starts_with(karpenters)) continue;
    const std::string meant = fmt::format("eks.amazonaws.com/{}", key.substr(karpenters.size()));
    Finding finding = reporter.report(requirement.key.node(),
                                      "nodes of EKS Auto Mode do not have the label `{}`", key);
    finding.severity(Severity::warning)
        .related(group, "the pool belongs to EKS Auto Mode because of this group")
        .help("write `{}`, because EKS Auto Mode has its own labels", meant);
    finding.fix(Safety::unsafe, fmt::format("write `{}`", meant),
                replace_string(*corpus.sources, requirement.key.node(), meant));
  }
}

/// The kind of node class that each provider's group has.
void check_class_kind(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  static constexpr std::array<std::array<std::string_view, 2>, 3> classes{
      {{"karpenter.k8s.aws", "EC2NodeClass"},
       {"eks.amazonaws.com", "NodeClass"},
       {"karpenter.azure.com", "AKSNodeClass"}}};
  const Node reference = node_class_of(pool);
  const Field<std::string> kind = read_string(reference, "kind");
  for (const auto& [group, meant] : classes) {
    const bool is_other = kind.is_known() && kind.value() != meant;
    if (!is_other || !read_string(reference, "group").equals(std::string(group))) continue;
    reporter.report(kind.node(), "API group `{}` has no kind `{}`", group, kind.value())
        .help("use the kind `{}`. {}", meant, refused)
        .fix(Safety::safe, fmt::format("write `{}`", meant),
             replace_string(*corpus.sources, kind.node(), meant));
  }
}

/// `nodeClassRef` in the form of v1beta1, where the kind was optional. v1 requires the kind, and
/// the group without a version (karpenter.sh_nodepools.yaml).
void check_class_group(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const Node reference = node_class_of(pool);
  const bool is_stable = read_string(pool.node, "apiVersion").equals("karpenter.sh/v1");
  if (!is_stable || !has_known_keys(reference) || !reference.get("name")) return;
  const bool has_group = static_cast<bool>(reference.get("group"));
  const bool has_kind = static_cast<bool>(reference.get("kind"));
  if ((has_group && has_kind) || reference.get("<<")) return;
  Finding finding = reporter.report(reference.key() ? reference.key() : reference,
                                    "`nodeClassRef` has no {}, but `karpenter.sh/v1` requires {}",
                                    has_kind    ? "`group`"
                                    : has_group ? "`kind`"
                                                : "`group` and no `kind`",
                                    has_kind || has_group ? "this field" : "both fields");
  finding.help("add {} to `nodeClassRef`. {}",
               has_kind    ? "`group`"
               : has_group ? "`kind`"
                           : "`group` and `kind`",
               refused);
  const Field<std::string> version = read_string(reference, "apiVersion");
  const std::string group = version.value_or("");
  const std::size_t slash = group.find('/');
  const bool is_shared = version.node().parent() != reference;  // other places may use the anchor
  if (slash == group.npos || version.node().text() != group || is_shared) return;
  std::vector<Edit> edits = replace_string(*corpus.sources, version.node(), group.substr(0, slash));
  std::ranges::move(replace_string(*corpus.sources, version.node().key(), "group"),
                    std::back_inserter(edits));
  finding.related(version.node(), "`karpenter.sh/v1` does not read the group from `apiVersion`")
      .fix(Safety::safe,
           fmt::format("replace `apiVersion` with `group: {}`", group.substr(0, slash)),
           std::move(edits));
}

/// The family of the pool's EC2NodeClass (karpenter-provider-aws 1d927085d, pkg/apis/v1: the CRD's
/// words; `Ubuntu` of v1beta1).
void check_image_family(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  constexpr std::array<std::string_view, 8> families = {"AL2",         "AL2023",     "Bottlerocket",
                                                        "Custom",      "Ubuntu",     "Windows2019",
                                                        "Windows2022", "Windows2025"};
  for (const Node node_class : ec2_node_classes(pool, corpus.objects)) {
    const Field<std::string> family = read_string(node_class.get("spec"), "amiFamily");
    if (!family.is_known() || is_listed(families, family.value())) continue;
    report_word(corpus, reporter, family, families, "`amiFamily`",
                "Otherwise Karpenter creates no node with this EC2NodeClass");
  }
}

void check_labels(const NodePool& pool, Reporter& reporter) {
  for (const LabelEntry& label : read_string_map(pool.karpenter->labels)) {
    if (!label.key.node || !label.value.is_known()) continue;
    if (!is_label_value(label.value.value()) && label.value.node()) {
      reporter.report(label.value.node(), "`{}` is not a valid label value", label.value.value())
          .help("use at most 63 characters, only `-`, `_`, `.`, letters and digits. {}", refused);
    } else if (!is_label_key(label.key.value)) {
      reporter.report(label.key.node, "`{}` is not a valid label key", label.key.value)
          .help("write a valid label key, such as `nvidia.com/gpu`. {}", refused);
    }
  }
}

[[nodiscard]] std::string_view folder_of(const Corpus& corpus, Node node) {
  const std::string_view path = corpus.sources->file(node.span()).path();
  return path.substr(0, path.rfind('/') + 1);
}

/// An object of Karpenter's first stable API in the pool's folder; null if there is none.
[[nodiscard]] Node find_stable_object(const Corpus& corpus, const NodePool& pool) {
  for (const KubernetesObject& object : corpus.objects) {
    const std::string version = object.api_version.value_or("");
    if (version != "karpenter.sh/v1" && version != "karpenter.k8s.aws/v1") continue;
    if (folder_of(corpus, object.node) == folder_of(corpus, pool.node)) return object.node;
  }
  return {};
}

/// Karpenter's upgrade guide: 1.1.0 drops the v1beta1 APIs, 0.33 the v1alpha5 ones.
void check_version(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const Field<std::string> version = read_string(pool.node, "apiVersion");
  if (!version.is_known() || version.value() == "karpenter.sh/v1") return;
  const Node group = node_class_of(pool).get("group");
  const Node stable = find_stable_object(corpus, pool);
  if (!stable && !group) return;
  const bool is_beta = version.value() == "karpenter.sh/v1beta1";
  Finding finding = reporter.report(
      version.node(), "the pool has version `{}`, but {}", version.value(),
      group ? "also a field of `v1`" : "an object in the same folder has version `v1`");
  finding.severity(Severity::warning)
      .related(group ? group : stable.get("apiVersion"),
               group ? "this field exists only in `v1`" : "this object has version `v1`")
      .help("{} `karpenter.sh/v1`, because Karpenter 1.1 and later do not know `{}`",
            is_beta ? "write" : "use a NodePool of", version.value());
  if (!group || !is_beta) return;
  finding.fix(Safety::unsafe, "write `karpenter.sh/v1`",
              replace_string(*corpus.sources, version.node(), "karpenter.sh/v1"));
}

void check_requirement(const Corpus& corpus, const SelectorRequirement& requirement,
                       KarpenterProvider provider, Reporter& reporter) {
  const bool is_operator = requirement.op.is_known() &&
                           (is_listed(operators, requirement.op.value()) ||
                            requirement.op.value() == "Gte" || requirement.op.value() == "Lte");
  if (requirement.op.is_known() && !is_operator) {
    return report_word(corpus, reporter, requirement.op, operators, "operator", refused);
  }
  const Node list = requirement.node.get("values");
  if (list.is_scalar() && !list.is_null() && !list.is_opaque()) {
    reporter.report(list, "`values` must be a list, but `{}` is a single value", list.text())
        .help("write `values: [{}]`. {}", list.text(), refused)
        .fix(Safety::safe, "write a list with this value",
             rename_to_list(*corpus.sources, list, "values"));
    return;
  }
  bool is_told = false;
  for (const Field<std::string>& value : requirement.values) {
    is_told = report_unquoted(corpus, reporter, value, "a requirement's value") || is_told;
  }
  if (is_told || !requirement.key.is_known() || !requirement.op.is_known()) return;
  switch (karpenter_flaw(requirement, provider)) {
    case RequirementFlaw::none:
      return;
    case RequirementFlaw::restricted:
      reporter
          .report(requirement.key.node(), "Karpenter rejects requirements for the label `{}`",
                  requirement.key.value())
          .help(
              "use a label with another prefix, because Karpenter accepts this prefix only for "
              "known labels. {}",
              refused);
      return;
    case RequirementFlaw::bad:
      report_bad_values(corpus, requirement, reporter);
      return;
  }
}

void check_taint(const Corpus& corpus, const Taint& taint, Reporter& reporter) {
  report_unquoted(corpus, reporter, taint.value, "a taint's value");
}

/// `spec.limits` is a map of amounts. Provisioners had them under `resources`
/// (karpenter.sh_nodepools.yaml: `additionalProperties` integer or string).
void check_limits(const NodePool& pool, Reporter& reporter) {
  if (!read_string(pool.node, "kind").equals("NodePool")) return;
  for (const Node::Entry& entry : pool.node.at("spec", "limits").fields()) {
    if (!entry.value.is_mapping() || entry.value.is_opaque()) continue;
    if (entry.key.text() == "resources") {
      reporter
          .report(entry.key,
                  "a NodePool must not have `limits.resources`, because only Provisioners have "
                  "this field")
          .help("move the amounts from `limits.resources` to `limits`. {}", refused);
    } else {
      reporter
          .report(entry.key, "`limits.{}` must be an amount, but is a mapping", entry.key.text())
          .help("write an amount, such as `nvidia.com/gpu: 8`. {}", refused);
    }
  }
}

/// `p3.2xlarge`, `p3.8xlarge` and 3 more, the smallest first.
[[nodiscard]] std::string list_types(std::vector<const Machine*> machines) {
  std::ranges::stable_sort(machines, {}, &Machine::cpu);
  std::vector<std::string> types;
  for (const Machine* machine : machines) types.emplace_back(machine->type);
  return list(types);
}

/// Types that their EC2 family does not have. A warning: types may be newer than the table.
void check_type(const Corpus& corpus, const Value<std::string>& type, Reporter& reporter) {
  const std::string_view text = type.value;
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || find_machine(text) != nullptr) return;
  const auto family = machines_of_family(text.substr(0, dot));
  if (family.empty()) return;
  Finding finding = reporter.report(type.node, "unknown instance type `{}`", text);
  finding.help("use a type of the same family: {}", list_types(family)).severity(Severity::warning);
  const std::string_view only = family.front()->type;
  if (family.size() > 1) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", only),
              replace_string(*corpus.sources, type.node, only));
}

/// The GPUs that a GKE pool requests in addition to its machine type.
struct Attachment {
  Node gpu;
  Field<std::string> type;
  Field<std::int64_t> count;
};

[[nodiscard]] Attachment find_attachment(const NodePool& pool) {
  Node gpu = pool.node.get("gpu");
  if (pool.source != NodePool::Source::compute_class) {
    const auto accelerators = pool.node.at("spec", "nodeConfig").get("guestAccelerator").items();
    gpu = accelerators.empty() ? Node{} : accelerators.front();
  }
  return {gpu, read_string(gpu, "type"), read_int(gpu, "count")};
}

/// Machines with fixed GPUs cannot have other GPUs or another number.
void check_built_in(const Corpus& corpus, const Attachment& asked, const Value<std::string>& type,
                    Reporter& reporter) {
  const Machine* const machine = find_machine(type.value);
  if (machine == nullptr || machine->is_open || machine->accelerators.size() != 1) return;
  const std::int64_t built_in = machine->accelerators.front().count;
  const std::string_view own = machine->gke_accelerator;
  if (asked.type.is_known() && !own.empty() && asked.type.value() != own) {
    Finding finding = reporter.report(asked.type.node(), "machine type `{}` has no GPU `{}`",
                                      type.value, asked.type.value());
    finding.related(type.node, fmt::format("this machine type has GPUs of type `{}`", own))
        .help(
            "write `{}`, because A2, A3, A4 and G2 machines have fixed GPUs. Or use another "
            "machine type",
            own);
    // The GPU may be right, and the machine wrong.
    if (!find_device(asked.type.value()).empty()) return;
    finding.fix(Safety::unsafe, fmt::format("write `{}`", own),
                replace_string(*corpus.sources, asked.type.node(), own));
  } else if (asked.count.is_known() && asked.count.value() > 0 && asked.count.value() != built_in) {
    reporter
        .report(asked.count.node(), "machine type `{}` has {}, not {}", type.value,
                count_text(static_cast<std::size_t>(built_in), "GPU"), asked.count.value())
        .related(type.node, "this machine type has a fixed number of GPUs")
        .help("set `count: {}`, or use another machine type. Otherwise GKE rejects the pool",
              built_in);
  }
}

/// Compute Engine, "About GPU instances": GPUs can be attached to N1 machines; A and G series have
/// fixed GPUs.
void check_attachment(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const Attachment asked = find_attachment(pool);
  if (!asked.gpu || pool.machine_types.size() != 1) return;
  const Value<std::string>& type = pool.machine_types.front();
  check_built_in(corpus, asked, type, reporter);
  if (!asked.count.is_known() || asked.count.value() < 1) return;
  if (!is_machine_without_accelerators(type.value)) return;
  reporter.report(type.node, "machine type `{}` cannot have GPUs", type.value)
      .related(asked.gpu, "the pool requests this GPU")
      .help("use an N1 machine type, or a machine type with fixed GPUs: A2, A3, A4 or G2");
}

/// Karpenter's name of a GPU with another tool's name: `nvidia-a10g`, `NVIDIA-A100-SXM4-40GB`.
/// Empty if none is known.
[[nodiscard]] std::string karpenter_name(std::string_view written) {
  std::string name = to_lower(written);
  for (const std::string_view vendor : {"nvidia-", "tesla-", "amd-"}) {
    if (name.starts_with(vendor)) name.erase(0, vendor.size());
  }
  if (!is_karpenter_gpu_name(name)) name = name.substr(0, name.find('-'));
  return is_karpenter_gpu_name(name) && name != written ? name : std::string{};
}

/// Reports names of GPUs that no machine has, if the right name is known. Returns whether all are
/// such.
bool report_gpu_names(const Corpus& corpus, const SelectorRequirement& requirement,
                      Reporter& reporter) {
  const std::string key = requirement.key.value_or("");
  if (!key.ends_with("/instance-gpu-name") || !requirement.op.equals("In")) return false;
  const auto is_wrong = [](const Field<std::string>& value) {
    return value.is_known() && !is_karpenter_gpu_name(value.value()) &&
           !karpenter_name(value.value()).empty();
  };
  if (requirement.values.empty() || !std::ranges::all_of(requirement.values, is_wrong)) {
    return false;
  }
  for (const Field<std::string>& value : requirement.values) {
    const std::string meant = karpenter_name(value.value());
    reporter.report(value.node(), "no instance type has the label `{}={}`", key, value.value())
        .help("write `{}`, which is Karpenter's name for this GPU", meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus.sources, value.node(), meant));
  }
  return true;
}

/// Reports types that their family does not have, if all named types are such.
bool report_types(const SelectorRequirement& requirement, Reporter& reporter) {
  const bool is_type = requirement.key.value_or("").ends_with("kubernetes.io/instance-type");
  if (!is_type || !requirement.op.equals("In") || requirement.values.empty()) return false;
  const auto family = [](const Field<std::string>& value) {
    const std::string type = value.value_or("");
    return machines_of_family(std::string_view(type).substr(0, type.find('.')));
  };
  const bool are_unknown =
      std::ranges::all_of(requirement.values, [&](const Field<std::string>& value) {
        return value.is_known() && find_machine(value.value()) == nullptr && !family(value).empty();
      });
  if (!are_unknown) return false;
  for (const Field<std::string>& value : requirement.values) {
    reporter.report(value.node(), "unknown instance type `{}`", value.value())
        .help("use a type of the same family: {}", list_types(family(value)))
        .severity(Severity::warning);
  }
  return true;
}

/// Reports the requirement without which machines are left. The last one, because people select
/// families first.
void report_empty(const NodePool& pool, Reporter& reporter) {
  const KarpenterPool& karpenter = *pool.karpenter;
  for (auto at = karpenter.stated.rbegin(); at != karpenter.stated.rend(); ++at) {
    const MachineSet left = machines_left(requirements_without(karpenter, *at));
    if (left.machines.empty() || !left.is_closed || !at->node) continue;
    reporter
        .report(
            at->values.empty() || !at->values.front().node() ? at->node : at->values.front().node(),
            "the requirement `{}` excludes every instance type of {}", at->key.value_or(""),
            describe(pool))
        .help("change `{}`, or the other requirements, which allow only {}. {}",
              at->key.value_or(""), describe(left.machines, pool.machine_types), refused);
    return;
  }
  reporter
      .report_span(name_node(pool).span(), name_node(pool),
                   "no instance type meets all requirements of {}", describe(pool))
      .help("change or remove a requirement. {}", refused);
}

void check_limits(const Corpus& corpus, const NodePool& pool, const MachineSet& set,
                  Reporter& reporter) {
  for (const auto& [limit, least] : find_low_limits(*pool.karpenter, set)) {
    const std::string whole = amount_text(limit.name.value, least);
    Finding finding =
        reporter
            .report(limit.amount.node(),
                    "{} has the limit `{}: {}`, but each of its machine types has more",
                    describe(pool), limit.name.value, limit.amount.node().text())
            .help("raise the limit to at least `{}: {}`, because {} {} at least {}. {}",
                  limit.name.value, whole, describe(set.machines, pool.machine_types),
                  set.machines.size() == 1 ? "has" : "have", whole, refused);
    if (limit.name.value == "memory") continue;  // memory has other units
    finding.fix(Safety::unsafe, fmt::format("raise the limit to `{}`", whole),
                limit.amount.node().style() == Style::plain
                    ? replace_raw(*corpus.sources, limit.amount.node(), whole)
                    : replace_string(*corpus.sources, limit.amount.node(), whole));
  }
}

}  // namespace

void report_karpenter_flaws(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const KarpenterPool& karpenter = *pool.karpenter;
  for (const SelectorRequirement& requirement : karpenter.stated) {
    check_requirement(corpus, requirement, karpenter.provider, reporter);
  }
  for (const Taint& taint : karpenter.taints) check_taint(corpus, taint, reporter);
  check_labels(pool, reporter);
  check_class_kind(corpus, pool, reporter);
  check_class_group(corpus, pool, reporter);
  check_image_family(corpus, pool, reporter);
  check_auto_mode(corpus, pool, reporter);
  check_limits(pool, reporter);
  check_version(corpus, pool, reporter);
}

void report_machine_flaws(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  if (!pool.error.empty()) return;
  for (const Value<std::string>& type : pool.machine_types) check_type(corpus, type, reporter);
  const bool is_gke = pool.source == NodePool::Source::config_connector ||
                      pool.source == NodePool::Source::compute_class;
  if (is_gke) check_attachment(corpus, pool, reporter);
}

void report_missing_machines(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const KarpenterPool& karpenter = *pool.karpenter;
  bool is_told = false;
  for (const SelectorRequirement& requirement : karpenter.stated) {
    is_told = report_gpu_names(corpus, requirement, reporter) ||
              report_types(requirement, reporter) || is_told;
  }
  if (is_told || !karpenter.invalid.empty() || karpenter.requirements.is_open()) return;
  const MachineSet set = machines_left(karpenter.requirements);
  if (!set.is_closed) return;
  if (set.machines.empty()) return report_empty(pool, reporter);
  check_limits(corpus, pool, set, reporter);
}

}  // namespace gpulint::rules::invalid_node_pool
