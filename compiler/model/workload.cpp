#include "compiler/model/workload.h"

#include <fmt/format.h>

namespace gpulint {

std::string Workload::display_name() const {
  const std::string path = fmt::format("{}/{}/{}", kind.value_or("Pod"),
                                       name_space.empty() ? "default" : name_space, name);
  return role.empty() ? path : fmt::format("{}/{}", path, role);
}

}  // namespace gpulint
