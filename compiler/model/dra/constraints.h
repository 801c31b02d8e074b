#pragma once

#include <string>
#include <vector>

#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

/// The attribute of a device under a full name (`domain/name`); null: it has none.
[[nodiscard]] const cel::Attribute* find_attribute(const Device& device, const std::string& name);

/// A constraint and the devices that it holds together so far.
class ConstraintState {
 public:
  explicit ConstraintState(const Constraint& constraint) : constraint_(&constraint) {}

  /// Whether the device may join; takes it in where it may. `alternative`: empty for plain
  /// requests.
  [[nodiscard]] bool add(const std::string& request, const std::string& alternative,
                         const Device& device);
  /// Of the device that was added last.
  void remove(const std::string& request, const std::string& alternative);

 private:
  [[nodiscard]] bool applies(const std::string& request, const std::string& alternative) const;

  const Constraint* constraint_;
  std::vector<const cel::Attribute*> values_;
};

}  // namespace gpulint::dra
