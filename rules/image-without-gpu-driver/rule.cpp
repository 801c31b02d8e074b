#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/machine_catalog.h"
#include "rules/image-without-gpu-driver/images.h"
#include "rules/image-without-gpu-driver/node_classes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::image_without_gpu_driver {
namespace {

constexpr std::string_view nvidia = "nvidia.com/gpu";
constexpr std::string_view neuron = "aws.amazon.com/neuron";

/// The machine types that are written there, one or a list; empty where one is open.
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

/// The first of the machines that has the accelerator, where all that are written are known.
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
  reporter.report(image, "`{}` boots `{}` without {} driver", image.text(), machine.text(), driver)
      .related(machine, "the machine")
      .help("the node offers no device, so that pods that ask for one stay Pending: {}",
            better.empty() ? std::string("take an image that has the driver")
                           : fmt::format("take `{}`", better));
}

void check_group(Reporter& reporter, Node group, const Spelling& spelling) {
  const Node image = group.get(spelling.image);
  if (!image.is_scalar() || image.is_opaque()) return;
  const auto* const known = std::ranges::find(images, image.text(), &Image::type);
  const std::vector<Node> types = written_types(group, spelling);
  if (image.text() == "AL2023_x86_64_NVIDIA") {
    if (const Node machine = find_machine_with(types, neuron)) {
      report(reporter, image, machine, "a Neuron", "AL2023_x86_64_NEURON");
    }
  }
  if (known == images.end()) return;
  if (const Node machine = find_machine_with(types, nvidia)) {
    report(reporter, image, machine, "an NVIDIA", known->nvidia);
  } else if (const Node other = find_machine_with(types, neuron); other && !known->has_neuron) {
    report(reporter, image, other, "a Neuron", known->neuron);
  }
}

/// What `kubectl get nodes` prints, of any size, holds no groups.
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

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "image-without-gpu-driver",
             .category = "placement",
             .summary = "A GPU node group boots a machine image that has no driver for its "
                        "accelerators.",
             .severity = Severity::warning,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::image_without_gpu_driver
