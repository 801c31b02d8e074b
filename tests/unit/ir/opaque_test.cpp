#include "compiler/ir/opaque.h"

#include <catch2/catch.hpp>

namespace gpulint {

TEST_CASE("Placeholders of templating tools are seen") {
  for (const auto* text :
       {"{{ .Values.x }}", "$GPU", "${GPU}", "${GPU:-1}", "$(GPU)", "<GPU_COUNT>", "<% gpu %>",
        "%GPU%", "@GPU@", "{gpu}", "__GPU__", "a-${ZONE}-b", "pod-__INDEX__", "REPLACE_ME",
        "CHANGEME", "YOUR_PROJECT"}) {
    INFO(text);
    CHECK(has_placeholder(text));
  }
}

TEST_CASE("Ordinary values are none") {
  for (const auto* text :
       {"", "nvidia.com/gpu", "100%", "a@b.c", "a < b", "$5", "2g.10gb", "50%", "{}", "user@host",
        "x > 1 && y < 2", "nvidia-tesla-a100", "a__b__c", "a____b"}) {
    INFO(text);
    CHECK_FALSE(has_placeholder(text));
  }
}

}  // namespace gpulint
