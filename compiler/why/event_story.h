#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/messages/event.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// Whether the files explain a claim of an event.
enum class Standing : std::uint8_t {
  explained,    ///< They show the same.
  unexplained,  ///< They show something else, or only a part.
  beyond,       ///< Cannot be in files.
};

struct CheckedClaim {
  events::Claim claim;
  Standing standing = Standing::beyond;
  std::string finding;  ///< What the files show, or what the claim means; lower case, no period.
  Node found;           ///< The line that shows it; null if there is none, or several.
  std::string command;  ///< Shows more, or exports what the files lack; may be empty.
};

/// Whether claims of this kind are about the volumes of a pod, its topology spread or other pods.
[[nodiscard]] bool is_of_topology(events::ClaimKind kind);

/// An event compared with the files.
struct EventStory {
  events::Event event;
  bool has_nodes = false;  ///< The files have nodes or pools.
  std::string workload;    ///< Name of the workload; empty if unknown.
  std::string total;       ///< Both numbers of nodes if they differ; else empty.
  std::string command;     ///< Exports the missing nodes.
  std::vector<CheckedClaim> claims;
};

/// Compares an event with the files. `subject`: its workload; null if unknown. `cluster`: the
/// nodes; null if there are none: then only the message itself is explained.
[[nodiscard]] EventStory check_event(const events::Event& event, const Subject* subject,
                                     const Cluster* cluster);

}  // namespace gpulint::why
