#pragma once

#include <string>
#include <vector>

#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

/// The device's attribute with a full name (`domain/name`); null if it has none.
[[nodiscard]] const cel::Attribute* find_attribute(const Device& device, const std::string& name);

/// A constraint and the devices chosen so far.
class ConstraintState {
 public:
  explicit ConstraintState(const Constraint& constraint) : constraint_(&constraint) {}

  /// Whether the device is allowed; adds it if it is. `alternative`: empty for plain requests.
  [[nodiscard]] bool add(const std::string& request, const std::string& alternative,
                         const Device& device);
  /// Removes the device that was added last.
  void remove(const std::string& request, const std::string& alternative);

 private:
  [[nodiscard]] bool applies(const std::string& request, const std::string& alternative) const;

  const Constraint* constraint_;
  std::vector<const cel::Attribute*> values_;
};

}  // namespace gpulint::dra
