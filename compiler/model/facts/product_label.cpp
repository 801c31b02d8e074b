#include "compiler/model/facts/product_label.h"

#include <algorithm>
#include <cstddef>

namespace gpulint {
namespace {

constexpr std::string_view mig_infix = "-MIG-";

[[nodiscard]] std::string_view without_sharing(std::string_view product) {
  constexpr std::string_view shared = "-SHARED";
  if (product.ends_with(shared)) product.remove_suffix(shared.size());
  return product;
}

}  // namespace

std::string_view whole_product(std::string_view product) {
  product = without_sharing(product);
  return product.substr(0, product.find(mig_infix));
}

std::string_view profile_of_product(std::string_view product) {
  product = without_sharing(product);
  const std::size_t at = std::min(product.find(mig_infix), product.size());
  if (at == product.size()) return {};
  const std::string_view profile = product.substr(at + mig_infix.size());
  return profile == "INVALID" ? std::string_view{} : profile;
}

bool is_partition_product(std::string_view product) {
  return product.find(mig_infix) != std::string_view::npos;
}

std::string product_of_partition(std::string_view product, std::string_view profile) {
  return std::string(product).append(mig_infix).append(profile);
}

}  // namespace gpulint
