#include "rules/image-without-gpu-driver/node_classes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/machine_catalog.h"
#include "compiler/model/objects.h"
#include "rules/support/causes.h"

namespace gpulint::rules::image_without_gpu_driver {
namespace {

[[nodiscard]] bool has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// Whether the text names an image of AWS without NVIDIA's driver, and cannot mean another: no
/// asterisk stands before what tells (EKS user guide, Retrieve recommended AMI IDs; Bottlerocket's
/// README, variants).
[[nodiscard]] bool is_plain(std::string_view name) {
  if (has(name, "nvidia") || has(name, "gpu")) return false;
  const std::string_view sure = name.substr(0, name.find_first_of("*?"));
  const bool has_arch = has(sure, "x86_64") || has(sure, "aarch64") || has(sure, "arm64");
  if (has(sure, "/eks/optimized-ami/")) {
    return has(sure, "/amazon-linux-2/") || has(sure, "/standard/");
  }
  if (has(sure, "/bottlerocket/aws-k8s-")) return has_arch;
  if (sure.starts_with("bottlerocket-aws-k8s-")) return has_arch;
  if (sure.starts_with("amazon-eks-node-al2023-")) return has(sure, "-standard-");
  return sure.starts_with("amazon-eks-node-1.") || sure.starts_with("amazon-eks-arm64-node-");
}

/// What names the image of every node; empty where one of them is not surely plain.
[[nodiscard]] Node find_plain_image(Node node_class) {
  Node found;
  const std::vector<Node> terms = node_class.at("spec", "amiSelectorTerms").items();
  for (const Node term : terms) {
    const Field<std::string> name = read_string(term, "name");
    const Field<std::string>& text = name.is_known() ? name : read_string(term, "ssmParameter");
    if (!text.is_known() || !is_plain(text.value())) return {};
    if (!found) found = text.node();
  }
  return found;
}

[[nodiscard]] bool are_all_nvidias(const NodePool& pool) {
  const auto machines = machines_of(pool);
  return machines && !machines->empty() &&
         std::ranges::all_of(*machines, [](const Machine* machine) {
           return machine->count("nvidia.com/gpu").value_or(0) > 0;
         });
}

[[nodiscard]] Node find_class(const Corpus& corpus, const NodePool& pool) {
  const Node reference = pool.node.at("spec", "template", "spec", "nodeClassRef");
  const Field<std::string> name = read_string(reference, "name");
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_meant = object.kind.equals("EC2NodeClass") && name.is_known() &&
                          object_name(object.node) == name.value();
    if (is_meant) return object.node;
  }
  return {};
}

}  // namespace

void check_node_classes(const Corpus& corpus, Reporter& reporter) {
  std::vector<Node> told;
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.karpenter == nullptr || !are_all_nvidias(pool)) continue;
    const Node image = find_plain_image(find_class(corpus, pool));
    if (!image || std::ranges::find(told, image) != told.end()) continue;
    told.push_back(image);
    reporter
        .report(image, "`{}` has no NVIDIA driver, and {} has GPU machines alone", image.text(),
                describe(pool))
        .related(name_node(pool), "the pool")
        .help(
            "nodes offer no `nvidia.com/gpu`, and Karpenter takes them for not initialised: take "
            "the "
            "`nvidia` image, or `alias`, by which Karpenter finds it");
  }
}

}  // namespace gpulint::rules::image_without_gpu_driver
