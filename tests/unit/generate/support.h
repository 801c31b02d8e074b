#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/generate/generate.h"
#include "compiler/project/project.h"

namespace gpulint::test {

/// Files by name; those whose names begin with `values` are layers of one release, in that order.
using Files = std::map<std::string, std::string>;

/// What `gpulint generate` makes of these files with these further arguments.
[[nodiscard]] Generated generate(const Files& files, const std::vector<std::string>& arguments);

/// Where each task runs under these files: the names of the nodes that take it. A task that Flyte
/// refuses, or under a configuration that it refuses, has none.
using Places = std::map<std::string, std::vector<std::string>>;
[[nodiscard]] Places places(const Files& files, const std::vector<std::string>& arguments);

}  // namespace gpulint::test
