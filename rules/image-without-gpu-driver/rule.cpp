#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/pod_limit.h"
#include "compiler/model/pools/pool_facts.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::image_without_gpu_driver {
namespace {

/// Keys of tools for `amiType` of EKS node groups, and for their instance types: CloudFormation,
/// ACK, Crossplane, Cluster API, Pulumi, Terraform.
struct Spelling {
  std::string_view image;
  std::array<std::string_view, 2> machines;
};

constexpr auto spellings = std::to_array<Spelling>({
    {"AmiType", {"InstanceTypes", ""}},
    {"amiType", {"instanceTypes", "instanceType"}},
    {"ami_type", {"instance_types", ""}},
});

/// An image type without NVIDIA's driver. EKS API Reference, CreateNodegroup, `amiType`; EKS user
/// guide, EKS-optimized accelerated AMIs: Bottlerocket without a suffix has Neuron's driver.
struct Image {
  std::string_view type;
  bool has_neuron;
  std::string_view nvidia;  ///< The image type for NVIDIA GPUs; empty if there is none.
  std::string_view neuron;  ///< The image type for Neuron devices; empty if there is none.
};

constexpr auto images = std::to_array<Image>({
    {"AL2_x86_64", false, "AL2_x86_64_GPU", "AL2_x86_64_GPU"},
    {"AL2_ARM_64", false, "AL2023_ARM_64_NVIDIA", ""},
    {"AL2023_x86_64_STANDARD", false, "AL2023_x86_64_NVIDIA", "AL2023_x86_64_NEURON"},
    {"AL2023_ARM_64_STANDARD", false, "AL2023_ARM_64_NVIDIA", ""},
    {"BOTTLEROCKET_x86_64", true, "BOTTLEROCKET_x86_64_NVIDIA", ""},
    {"BOTTLEROCKET_x86_64_FIPS", true, "BOTTLEROCKET_x86_64_NVIDIA", ""},
    {"BOTTLEROCKET_ARM_64", true, "BOTTLEROCKET_ARM_64_NVIDIA", ""},
    {"BOTTLEROCKET_ARM_64_FIPS", true, "BOTTLEROCKET_ARM_64_NVIDIA", ""},
});

[[nodiscard]] bool has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// Whether the text certainly names an AWS image without NVIDIA's driver: the deciding part is
/// before any wildcard (EKS user guide, Retrieve recommended AMI IDs; Bottlerocket's README,
/// variants).
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

/// The first image of the node class; null unless all its images are certainly plain.
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

/// Reports Karpenter's EC2NodeClasses with an image by name or SSM parameter, for pools with only
/// NVIDIA GPU machines. With an `alias` Karpenter selects the image.
void check_node_classes(const Corpus& corpus, Reporter& reporter) {
  std::vector<Node> told;
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.karpenter == nullptr || !are_all_nvidias(pool)) continue;
    const std::vector<Node> classes = ec2_node_classes(pool, corpus.objects);
    const Node image = find_plain_image(classes.empty() ? Node{} : classes.front());
    if (!image || std::ranges::find(told, image) != told.end()) continue;
    told.push_back(image);
    reporter
        .report(image, "image `{}` has no NVIDIA driver, but {} creates only GPU nodes",
                image.text(), describe(pool))
        .related(name_node(pool), fmt::format("{} uses this image", describe(pool)))
        .help(
            "use the `nvidia` variant of the image, or select the image with `alias`. Otherwise "
            "Karpenter never marks the nodes as initialized, because the nodes have no "
            "`nvidia.com/gpu`");
  }
}

constexpr std::string_view nvidia = "nvidia.com/gpu";

constexpr std::string_view neuron = "aws.amazon.com/neuron";

/// The machine types of the group, one or a list; empty if one is unknown.
[[nodiscard]] std::vector<Node> written_types(Node group, const Spelling& spelling) {
  for (const std::string_view key : spelling.machines) {
    const Node there = key.empty() ? Node{} : group.get(key);
    if (!there) continue;
    std::vector<Node> types = there.is_sequence() ? there.items() : std::vector{there};
    const bool is_open =
        std::ranges::any_of(types, [](Node type) { return !type.is_scalar() || type.is_opaque(); });
    return is_open ? std::vector<Node>{} : types;
  }
  return {};
}

[[nodiscard]] bool has(const Machine& machine, std::string_view resource) {
  return std::ranges::any_of(machine.accelerators, [&](const MachineAccelerator& each) {
    return each.resource == resource && each.count > 0;
  });
}

/// The first machine type with the accelerator; null if a machine type is unknown.
[[nodiscard]] Node find_machine_with(const std::vector<Node>& types, std::string_view resource) {
  Node found;
  for (const Node type : types) {
    const Machine* const machine = find_machine(to_lower(type.text()));
    if (machine == nullptr) return {};
    if (!found && has(*machine, resource)) found = type;
  }
  return found;
}

void report(Reporter& reporter, Node image, Node machine, std::string_view driver,
            std::string_view better) {
  reporter
      .report(image, "machine type `{}` needs the {} driver, but image type `{}` lacks this driver",
              machine.text(), driver, image.text())
      .related(machine, "the node group uses this machine type")
      .help(
          "{}. Otherwise the nodes offer no `{}`, and pods that request this resource stay Pending",
          better.empty() ? fmt::format("use an image with the {} driver", driver)
                         : fmt::format("use the image type `{}`", better),
          driver == "Neuron" ? neuron : nvidia);
}

void check_group(Reporter& reporter, Node group, const Spelling& spelling) {
  const Node image = group.get(spelling.image);
  if (!image.is_scalar() || image.is_opaque()) return;
  const auto* const known = std::ranges::find(images, image.text(), &Image::type);
  const std::vector<Node> types = written_types(group, spelling);
  if (image.text() == "AL2023_x86_64_NVIDIA") {
    if (const Node machine = find_machine_with(types, neuron)) {
      report(reporter, image, machine, "Neuron", "AL2023_x86_64_NEURON");
    }
  }
  if (known == images.end()) return;
  if (const Node machine = find_machine_with(types, nvidia)) {
    report(reporter, image, machine, "NVIDIA", known->nvidia);
  } else if (const Node other = find_machine_with(types, neuron); other && !known->has_neuron) {
    report(reporter, image, other, "Neuron", known->neuron);
  }
}

/// Whether it is a list of Nodes, which has no node groups.
[[nodiscard]] bool are_nodes(Node list) {
  const std::vector<Node> items = list.get("items").items();
  return !items.empty() &&
         std::ranges::all_of(items, [](Node item) { return item.get("kind").text() == "Node"; });
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_node_classes(corpus, reporter);
  for (const Document* document : corpus.documents) {
    if (are_nodes(root(*document))) continue;
    for (const Spelling& spelling : spellings) {
      if (!holds_word(corpus, *document, spelling.image)) continue;
      walk(root(*document), [&](Node group) {
        if (group.is_mapping() && group.get(spelling.image)) check_group(reporter, group, spelling);
      });
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::image_without_gpu_driver
