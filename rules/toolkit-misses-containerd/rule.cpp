#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/kinds/operator_keys.h"
#include "rules/support/distribution.h"
#include "rules/support/gpu_operator.h"

namespace gpulint::rules::toolkit_misses_containerd {
namespace {

/// The socket of a distribution's containerd.
struct Listening {
  Distribution distribution;
  std::string_view name;
  std::string_view socket;
};
constexpr auto distributions = std::to_array<Listening>({
    {Distribution::k3s, "K3s", "/run/k3s/containerd/containerd.sock"},
    {Distribution::rke2, "RKE2", "/run/k3s/containerd/containerd.sock"},
    {Distribution::k0s, "k0s", "/run/k0s/containerd.sock"},
});

constexpr std::string_view usual_socket = "/run/containerd/containerd.sock";

struct Found {
  const Listening* distribution = nullptr;
  Node version;  ///< Of a GPU node.
};

/// The distribution of all GPU nodes; nothing if one of them has another.
[[nodiscard]] std::optional<Found> find_distribution(const Cluster& cluster) {
  std::optional<Distribution> first;
  return of_gpu_nodes(cluster, [&](const NodePool& pool) -> std::optional<Found> {
    const Node version = pool.node.at("status", "nodeInfo", "kubeletVersion");
    const auto told = distribution_of(version.text());
    if (!told || told != first.value_or(*told)) return std::nullopt;
    first = told;
    return Found{std::ranges::find(distributions, *told, &Listening::distribution), version};
  });
}

/// Whether the toolkit has a socket configured, or does not need one.
[[nodiscard]] bool is_settled(Node parts) {
  const Node toolkit = parts.get("toolkit");
  const bool is_on = !toolkit.get("enabled") || read_bool(toolkit, "enabled").equals(true);
  if (toolkit.is_opaque() || !is_on) return true;
  if (parts.at("cdi", "nriPluginEnabled").text() == "true") return true;
  const Node environment = toolkit.get("env");
  if (environment.is_opaque() || environment.is_scalar()) return !environment.is_null();
  for (const Node variable : environment.items()) {
    const Field<std::string> name = read_string(variable, "name");
    if (!name.is_known() || name.value() == "CONTAINERD_SOCKET") return true;
  }
  return false;
}

/// What the node of the distribution has to do with the finding.
[[nodiscard]] std::string describe_node(const Listening& distribution) {
  return fmt::format("this node runs {}, which has the containerd socket at a different path",
                     distribution.name);
}

/// The toolkit is configured with the usual socket, which these distributions do not have.
void check_socket(Reporter& reporter, Node parts, const Found& found) {
  const Node toolkit = parts.get("toolkit");
  if (read_bool(toolkit, "enabled").equals(false)) return;
  for (const Node variable : toolkit.get("env").items()) {
    const Field<std::string> socket = read_string(variable, "value");
    const bool is_wrong = read_string(variable, "name").equals("CONTAINERD_SOCKET") &&
                          socket.equals(std::string(usual_socket));
    if (!is_wrong) continue;
    reporter
        .report(socket.node(), "{} does not have the containerd socket `{}`",
                found.distribution->name, usual_socket)
        .related(found.version, describe_node(*found.distribution))
        .help(
            "write `{}`. Otherwise the toolkit's pods crash, and the nodes do not have the runtime "
            "`nvidia`",
            found.distribution->socket);
  }
}

void check_operator(Reporter& reporter, Node parts, const Found& found) {
  if (!parts.is_mapping()) return;
  check_socket(reporter, parts, found);
  if (is_settled(parts)) return;
  const Node toolkit = parts.get("toolkit");
  const Node around = toolkit ? toolkit : parts;
  const Listening& distribution = *found.distribution;
  reporter
      .report(around.key() ? around.key() : parts.children().front(),
              "the container toolkit uses the default socket `{}`, but {} does not have this "
              "socket",
              usual_socket, distribution.name)
      .related(found.version, describe_node(distribution))
      .help(
          "set `CONTAINERD_SOCKET` to `{}` in `toolkit.env`, or set `toolkit.enabled: false` if "
          "the nodes already have the toolkit. Otherwise the toolkit's pods crash",
          distribution.socket);
}

void check(const Corpus& corpus, Reporter& reporter) {
  const std::optional<Found> found = find_distribution(corpus.cluster);
  if (!found) return;
  for (const OperatorSettings& one : gpu_operator_settings(corpus)) {
    if (!one.has_more) check_operator(reporter, one.settings, *found);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::toolkit_misses_containerd
