#include "compiler/schedule/host_ports.h"

#include "compiler/ir/read.h"

namespace gpulint {

std::vector<HostPort> host_ports(const PodSpec& pod) {
  const Field<bool> shares_network = read_bool(pod.node, "hostNetwork");
  std::vector<HostPort> found;
  for (const Container& container : pod.containers) {
    for (const Node port : container.node.get("ports").items()) {
      Field<std::int64_t> number = read_int(port, "hostPort");
      const bool is_default = number.is_absent() || (number.is_known() && number.value() == 0);
      const bool is_shared = is_default && shares_network.is_known() && shares_network.value();
      if (is_shared) {
        number = read_int(port, "containerPort");
      }
      const Field<std::string> protocol = read_string(port, "protocol");
      const Field<std::string> address = read_string(port, "hostIP");
      const bool is_clear = (protocol.is_known() || protocol.is_absent()) &&
                            (address.is_known() || address.is_absent());
      if (!is_clear || !number.is_known() || number.value() <= 0) continue;
      const std::string at = address.value_or("");
      found.push_back({number.value(), protocol.value_or("TCP"),
                       at == "0.0.0.0" ? std::string() : at, number.node(),
                       is_shared ? shares_network.node() : Node{}});
    }
  }
  return found;
}

bool collide(const HostPort& one, const HostPort& other) {
  return one.number == other.number && one.protocol == other.protocol &&
         (one.address == other.address || one.address.empty() || other.address.empty());
}

}  // namespace gpulint
