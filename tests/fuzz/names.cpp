// Quantities, MIG profiles, resource names: what is read prints as something that reads the same.
#include "compiler/base/check.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/quantity.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const std::string text = fuzz::to_text(data, size);
  if (const auto quantity = Quantity::parse(text)) {
    const auto again = Quantity::parse(quantity->to_string());
    GPULINT_CHECK(again && again->to_string() == quantity->to_string());
    (void)quantity->value();
    (void)quantity->milli_value();
    (void)(*quantity + *again - *quantity);
  }
  if (const auto profile = parse_mig_profile(text)) {
    GPULINT_CHECK(parse_mig_profile(profile->name()) == profile);
    (void)mig_resource_name(*profile);
  }
  (void)suggest_mig_profile(text);
  (void)profile_of_resource_suffix(text);
  (void)classify_resource(text);
  return 0;
}
