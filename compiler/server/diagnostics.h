#pragma once

#include <map>
#include <string>

#include "compiler/server/client.h"
#include "compiler/server/ranges.h"

namespace gpulint::server {

/// A finding as a Diagnostic of the protocol. `homepage` may be empty.
[[nodiscard]] Json diagnostic_json(const Diagnostic& finding, Ranges& ranges,
                                   const std::string& homepage);

/// The address of a rule's page; empty if it has none.
[[nodiscard]] std::string page_of(const RuleInfo& rule, const std::string& homepage);

/// Lists of diagnostics by URI: the findings of the root called `name`, and the errors of its
/// gpulint.yaml. Files of inner folders and templates are left out.
[[nodiscard]] std::map<std::string, Json> list_diagnostics(const std::string& name,
                                                           const Workspace& workspace,
                                                           const CheckedRoot& root, Ranges& ranges,
                                                           const std::string& homepage);

}  // namespace gpulint::server
