#pragma once

#include <map>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Moves findings in rendered text to the lines of values or templates that decide it, and sets
/// Diagnostic::rendered. Findings of one rule at one place become one, with all their objects. Of
/// charts that were rendered with their own values alone only errors stay. Suppressions in rendered
/// text apply first. No finding of the result has a place or an edit in rendered text.
/// `found`: the findings of each scope.
[[nodiscard]] std::vector<std::vector<Diagnostic>> place_rendered(
    const Project& project, const Request& request, std::vector<std::vector<Diagnostic>> found);

/// The places in values and templates that decide places in rendered text. Without those that are
/// in other files, or whose line is unknown.
[[nodiscard]] std::map<Span, Span> find_deciding_places(const Project& project,
                                                        const Request& request,
                                                        const std::vector<Span>& spans);

}  // namespace gpulint
