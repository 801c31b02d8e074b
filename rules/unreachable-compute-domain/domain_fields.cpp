#include "rules/unreachable-compute-domain/domain_fields.h"

#include <string>
#include <string_view>

#include "compiler/ir/read.h"

namespace gpulint::rules::unreachable_compute_domain {
namespace {

constexpr std::string_view refused = "the API server refuses the object";

/// The first field on the way to the template's name that is not there; empty: all are.
[[nodiscard]] std::string_view missing_field(Node spec) {
  const Node channel = spec.get("channel");
  if (!channel) return "channel";
  if (channel.is_opaque()) return {};
  const Node made = channel.get("resourceClaimTemplate");
  if (!made) return "channel.resourceClaimTemplate";
  if (!made.is_opaque() && !made.get("name")) return "channel.resourceClaimTemplate.name";
  return spec.get("numNodes") ? std::string_view() : "numNodes";
}

}  // namespace

void check_domain(Reporter& reporter, const ComputeDomain& domain) {
  const Node spec = domain.object.get("spec");
  if (!spec.is_mapping()) return;
  if (const std::string_view missing = missing_field(spec); !missing.empty()) {
    reporter.report_key(spec, "a ComputeDomain without `{}`", missing).help("{}", refused);
  }
  const Field<std::int64_t> nodes = read_int(spec, "numNodes");
  if (nodes.is_mistyped()) {
    reporter.report(nodes.node(), "`numNodes` takes a whole number").help("{}", refused);
  }
  const Field<std::string> mode = read_string(spec.get("channel"), "allocationMode");
  if (!mode.is_known() || mode.value() == "All" || mode.value() == "Single") return;
  reporter.report(mode.node(), "`allocationMode` takes `All` or `Single`, not `{}`", mode.value())
      .help("{}", refused);
}

}  // namespace gpulint::rules::unreachable_compute_domain
