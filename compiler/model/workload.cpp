#include "compiler/model/workload.h"

#include <fmt/format.h>

namespace gpulint {

std::string Workload::display_name() const {
  const std::string subject = origin == Origin::compiled ? "Task" : kind.value_or("Pod");
  const std::string path =
      fmt::format("{}/{}/{}", subject, name_space.empty() ? "default" : name_space, name);
  return role.empty() ? path : fmt::format("{}/{}", path, role);
}

}  // namespace gpulint
