#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/messages/event.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// What the files have to say of something that an event claims.
enum class Standing : std::uint8_t {
  explained,    ///< They show the same.
  unexplained,  ///< They show something else, or not all of it.
  beyond,       ///< No file of a repository could show it.
};

struct JudgedClaim {
  events::Claim claim;
  Standing standing = Standing::beyond;
  std::string finding;  ///< What the files show, or what the claim means; lower case, no period.
  Node found;           ///< Where; nothing where that is no one place.
  std::string command;  ///< What shows more, or exports what the files lack; may be empty.
};

/// Whether claims of this kind are about the volumes of a pod, its topology spread or other pods.
[[nodiscard]] bool is_of_topology(events::ClaimKind kind);

/// An event beside the files.
struct EventStory {
  events::Event event;
  bool has_nodes = false;  ///< Among the files, or pools.
  std::string workload;    ///< Of the files, which it is about; empty where that is not known.
  std::string total;       ///< Why the number of nodes is another one; empty where it is the same.
  std::string command;     ///< What exports the rest.
  std::vector<JudgedClaim> claims;
};

/// Holds an event against the files. `subject`: what it is about; null where nobody knows.
/// `cluster`: the nodes; null where there are none, and the event is explained by itself.
[[nodiscard]] EventStory judge(const events::Event& event, const Subject* subject,
                               const Cluster* cluster);

}  // namespace gpulint::why
