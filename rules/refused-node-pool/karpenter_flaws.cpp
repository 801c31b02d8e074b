#include "rules/refused-node-pool/karpenter_flaws.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/karpenter/validate_requirement.h"
#include "compiler/model/karpenter_catalog.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/read_pod.h"
#include "rules/support/causes.h"

namespace gpulint::rules::refused_node_pool {
namespace {

constexpr std::array<std::string_view, 6> operators = {"In",           "NotIn", "Exists",
                                                       "DoesNotExist", "Gt",    "Lt"};
constexpr std::string_view refused = "Karpenter makes no node of the pool until this is mended";

/// A word of a closed set, in another letter case or misspelt.
template <std::size_t Size>
void report_word(const Corpus& corpus, Reporter& reporter, const Field<std::string>& field,
                 const std::array<std::string_view, Size>& words, std::string_view what) {
  Finding finding = reporter.report(field.node(), "`{}` is no {} of Karpenter's",
                                    field.is_known() ? field.value() : field.node().text(), what);
  finding.help("it is one of `{}`; {}", fmt::join(words, "`, `"), refused);
  const auto meant = nearest(field.node().text(), words);
  if (!meant) return;
  finding.fix(Safety::safe, fmt::format("write `{}`", *meant),
              replace_string(*corpus.sources, field.node(), *meant));
}

/// `true` and `1` where the CRD has strings. True where one was found.
bool report_unquoted(const Corpus& corpus, Reporter& reporter, const Field<std::string>& field,
                     std::string_view what) {
  if (!field.is_mistyped() || !field.node().is_scalar()) return false;
  reporter.report(field.node(), "`{}` is no string, as {} must be", field.node().text(), what)
      .help("quote it; {}", refused)
      .fix(Safety::safe, "quote it", quote(*corpus.sources, field.node()));
  return true;
}

void report_bad_values(const Corpus& corpus, const SelectorRequirement& requirement,
                       Reporter& reporter) {
  const std::string key = requirement.key.value_or("");
  for (const WellKnownValues& known : karpenter_well_known_values()) {
    if (known.label != normalized_label(key)) continue;
    for (const Field<std::string>& value : requirement.values) {
      if (!value.is_known() || is_listed(known.values, value.value())) continue;
      Finding finding =
          reporter.report(value.node(), "`{}` is no value of `{}`", value.value(), key);
      finding.help("Karpenter knows `{}`", fmt::join(known.values, "`, `"));
      const auto meant = nearest(value.value(), known.values);
      if (meant) {
        finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
                    replace_string(*corpus.sources, value.node(), *meant));
      }
    }
    return;
  }
  reporter.report(requirement.node, "Karpenter refuses this requirement of `{}`", key)
      .help("`In` takes at least as many values as `minValues`, `Gt` and `Lt` one whole number; {}",
            refused);
}

[[nodiscard]] Node node_class_of(const NodePool& pool) {
  return pool.node.at("spec", "template", "spec", "nodeClassRef");
}

/// EKS Auto Mode has labels of its own where Karpenter on AWS has `karpenter.k8s.aws/…` (Amazon EKS
/// user guide, «Create a Node Pool for EKS Auto Mode»).
void check_auto_mode(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  constexpr std::string_view karpenters = "karpenter.k8s.aws/";
  const Node group = node_class_of(pool).get("group");
  if (!read_string(node_class_of(pool), "group").equals("eks.amazonaws.com")) return;
  for (const SelectorRequirement& requirement : pool.karpenter->stated) {
    const std::string key = requirement.key.value_or("");
    if (!key.starts_with(karpenters)) continue;
    const std::string meant = fmt::format("eks.amazonaws.com/{}", key.substr(karpenters.size()));
    Finding finding =
        reporter.report(requirement.key.node(), "nodes of EKS Auto Mode have no label `{}`", key);
    finding.severity(Severity::warning)
        .related(group, "what makes it a pool of EKS Auto Mode")
        .help("there it is `{}`", meant);
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
    reporter.report(kind.node(), "`{}` has no kind `{}`", group, kind.value())
        .help("its node classes are of the kind `{}`; {}", meant, refused)
        .fix(Safety::safe, fmt::format("write `{}`", meant),
             replace_string(*corpus.sources, kind.node(), meant));
  }
}

/// `nodeClassRef` as v1beta1 had it: v1 requires the group alone (karpenter.sh_nodepools.yaml).
void check_class_group(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const Node reference = node_class_of(pool);
  const bool is_stable = read_string(pool.node, "apiVersion").equals("karpenter.sh/v1");
  if (!is_stable || !has_known_keys(reference) || !reference.get("kind")) return;
  if (reference.get("group") || reference.get("<<")) return;
  Finding finding =
      reporter.report(reference.key() ? reference.key() : reference,
                      "`nodeClassRef` has no `group`, which `karpenter.sh/v1` requires");
  finding.help("{}", refused);
  const Field<std::string> version = read_string(reference, "apiVersion");
  const std::string group = version.value_or("");
  const std::size_t slash = group.find('/');
  if (slash == group.npos || version.node().text() != group) return;
  std::vector<Edit> edits = replace_string(*corpus.sources, version.node(), group.substr(0, slash));
  std::ranges::move(replace_string(*corpus.sources, version.node().key(), "group"),
                    std::back_inserter(edits));
  finding.related(version.node(), "what v1beta1 had")
      .fix(Safety::safe, fmt::format("write `group: {}`", group.substr(0, slash)),
           std::move(edits));
}

/// The family of the pool's EC2NodeClass (karpenter-provider-aws 1d927085d, pkg/apis/v1: the CRD's
/// words; `Ubuntu` of v1beta1).
void check_image_family(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  constexpr std::array<std::string_view, 8> families = {"AL2",         "AL2023",     "Bottlerocket",
                                                        "Custom",      "Ubuntu",     "Windows2019",
                                                        "Windows2022", "Windows2025"};
  const Field<std::string> wanted = read_string(node_class_of(pool), "name");
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_meant = object.kind.equals("EC2NodeClass") && wanted.is_known() &&
                          object_name(object.node) == wanted.value();
    const Field<std::string> family = read_string(object.node.get("spec"), "amiFamily");
    if (!is_meant || !family.is_known() || is_listed(families, family.value())) continue;
    report_word(corpus, reporter, family, families, "`amiFamily`");
  }
}

void check_labels(const NodePool& pool, Reporter& reporter) {
  for (const LabelEntry& label : read_string_map(pool.karpenter->labels)) {
    if (!label.key.node || !label.value.is_known()) continue;
    if (!is_label_value(label.value.value()) && label.value.node()) {
      reporter
          .report(label.value.node(), "`{}` is no value that a label can have", label.value.value())
          .help("letters, digits, `-`, `_` and `.`, at most 63; {}", refused);
    } else if (!is_label_key(label.key.value)) {
      reporter.report(label.key.node, "`{}` is no key that a label can have", label.key.value)
          .help("{}", refused);
    }
  }
}

[[nodiscard]] std::string_view folder_of(const Corpus& corpus, Node node) {
  const std::string_view path = corpus.sources->file(node.span()).path();
  return path.substr(0, path.rfind('/') + 1);
}

/// An object of Karpenter's first stable API in the pool's folder; nothing where there is none.
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
  Finding finding = reporter.report(
      version.node(), "Karpenter 1.1 and later do not know `{}`, and {}", version.value(),
      group ? "the pool is written for `v1`" : "`v1` stands beside it");
  finding.severity(Severity::warning)
      .related(group ? group : stable.get("apiVersion"), "what is of `v1`")
      .help("one release of Karpenter reads both only on the way from one to the other");
  if (!group || version.value() != "karpenter.sh/v1beta1") return;
  finding.fix(Safety::unsafe, "write `karpenter.sh/v1`",
              replace_string(*corpus.sources, version.node(), "karpenter.sh/v1"));
}

void check_requirement(const Corpus& corpus, const SelectorRequirement& requirement,
                       KarpenterProvider provider, Reporter& reporter) {
  const bool is_operator = requirement.op.is_known() &&
                           (is_listed(operators, requirement.op.value()) ||
                            requirement.op.value() == "Gte" || requirement.op.value() == "Lte");
  if (requirement.op.is_known() && !is_operator) {
    return report_word(corpus, reporter, requirement.op, operators, "operator");
  }
  const Node list = requirement.node.get("values");
  if (list.is_scalar() && !list.is_null() && !list.is_opaque()) {
    reporter.report(list, "`values` of a requirement is a list")
        .help("write `values: [{}]`; {}", list.text(), refused)
        .fix(Safety::safe, "write a list of one", rename_to_list(*corpus.sources, list, "values"));
    return;
  }
  bool is_told = false;
  for (const Field<std::string>& value : requirement.values) {
    is_told = report_unquoted(corpus, reporter, value, "values of requirements") || is_told;
  }
  if (is_told || !requirement.key.is_known() || !requirement.op.is_known()) return;
  switch (karpenter_flaw(requirement, provider)) {
    case RequirementFlaw::none:
      return;
    case RequirementFlaw::restricted:
      reporter
          .report(requirement.key.node(), "Karpenter refuses the label `{}` in requirements",
                  requirement.key.value())
          .help("no label of this domain but those that Karpenter registers; {}", refused);
      return;
    case RequirementFlaw::bad:
      report_bad_values(corpus, requirement, reporter);
      return;
  }
}

void check_taint(const Corpus& corpus, const Taint& taint, Reporter& reporter) {
  report_unquoted(corpus, reporter, taint.value, "a taint's value");
}

/// `spec.limits` is a map of amounts; Provisioners had them under `resources`
/// (karpenter.sh_nodepools.yaml: `additionalProperties` integer or string).
void check_limits(const NodePool& pool, Reporter& reporter) {
  if (!read_string(pool.node, "kind").equals("NodePool")) return;
  for (const Node::Entry& entry : pool.node.at("spec", "limits").fields()) {
    if (!entry.value.is_mapping() || entry.value.is_opaque()) continue;
    Finding finding = reporter.report(
        entry.key, "a NodePool's `limits` are amounts, and `{}` is a mapping", entry.key.text());
    if (entry.key.text() == "resources") {
      finding.help("Provisioners had them under `resources`; write them under `limits`; {}",
                   refused);
    } else {
      finding.help("{}", refused);
    }
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

}  // namespace gpulint::rules::refused_node_pool
