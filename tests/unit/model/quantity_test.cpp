#include "compiler/model/quantity.h"

#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace gpulint {
namespace {

struct QuantityReading {
  std::string text;
  std::int64_t value;
  std::int64_t milli;
  std::string canonical;
};

}  // namespace

// Values as k8s.io/apimachinery v0.37.1 gives them (Value(), MilliValue(), String()).
TEST_CASE("quantities read and print as in Kubernetes") {
  const std::vector<QuantityReading> readings{
      {"0", 0, 0, "0"},
      {"1", 1, 1000, "1"},
      {"500m", 1, 500, "500m"},
      {"1500m", 2, 1500, "1500m"},
      {"1000m", 1, 1000, "1"},
      {"0.5", 1, 500, "500m"},
      {".5", 1, 500, "500m"},
      {"1.", 1, 1000, "1."},
      {"+1", 1, 1000, "+1"},
      {"-1", -1, -1000, "-1"},
      {"2k", 2000, 2000000, "2k"},
      {"2000", 2000, 2000000, "2k"},
      {"1Ki", 1024, 1024000, "1Ki"},
      {"1024Ki", 1048576, 1048576000, "1Mi"},
      {"1.5Gi", 1610612736, 1610612736000, "1536Mi"},
      {"1e3", 1000, 1000000, "1e3"},
      {"1E3", 1000, 1000000, "1E3"},
      {"12e2", 1200, 1200000, "1200"},
      {"1u", 1, 1, "1u"},
      {"1e-10", 1, 1, "1e-9"},
      // Capped at the largest int64; a thousand times that keeps its low 64 bits (big.Int.Int64).
      {"8Ei", INT64_MAX, -1000, "9223372036854775807"},
      {"001", 1, 1000, "001"},
      {"1.500", 2, 1500, "1.500"},
      {"100E", 0, 0, "100E"},
      {" 1 ", 1, 1000, "1"},
  };
  for (const QuantityReading& reading : readings) {
    INFO(reading.text);
    const auto quantity = Quantity::parse(reading.text);
    REQUIRE(quantity);
    CHECK(quantity->value() == reading.value);
    CHECK(quantity->milli_value() == reading.milli);
    CHECK(quantity->to_string() == reading.canonical);
  }
}

TEST_CASE("what Kubernetes does not parse is no quantity") {
  for (const char* text : {"", "1K", "8GB", "0x8", "1,5", "one", "1 Gi", "1e", "1Kii", "--1", "1m5",
                           "1e1.5", "\t1", "Ei"}) {
    INFO(text);
    CHECK_FALSE(Quantity::parse(text));
  }
}

TEST_CASE("sums are exact and keep the first summand's format") {
  const auto sum = [](const char* a, const char* b) {
    return (*Quantity::parse(a) + *Quantity::parse(b)).to_string();
  };
  CHECK(sum("1500m", "500m") == "2");
  CHECK(sum("1Gi", "1Gi") == "2Gi");
  CHECK(sum("0", "1Gi") == "1Gi");
  CHECK(sum("0.1", "0.2") == "300m");
  CHECK((*Quantity::parse("1") - *Quantity::parse("1")).is_zero());
}

TEST_CASE("quantities compare by value, whatever their spelling") {
  CHECK(*Quantity::parse("1000m") == *Quantity::parse("1"));
  CHECK(*Quantity::parse("1Gi") > *Quantity::parse("1G"));
  CHECK(*Quantity::parse("-1") < *Quantity::parse("0"));
}

TEST_CASE("amounts of resources are never finer than a thousandth") {
  CHECK(Quantity::parse("1u")->rounded_up_to_milli().to_string() == "1m");
  CHECK(Quantity::parse("1500m")->rounded_up_to_milli().to_string() == "1500m");
  CHECK(Quantity::parse("1.0001")->rounded_up_to_milli().to_string() == "1001m");
}

TEST_CASE("an integer as the API server checks it") {
  for (const char* whole : {"1", "2k", "1Ki", "1000m", "1.0", "-0", "1E"}) {
    CHECK(Quantity::parse(whole)->is_whole());
  }
  for (const char* part : {"0.5", "1u", "1e-1", "1500m"}) {
    CHECK_FALSE(Quantity::parse(part)->is_whole());
  }
}

TEST_CASE("a number of any length takes no more than linear time") {
  const std::string digits(1'000'000, '9');
  CHECK(Quantity::parse(digits));
  CHECK(Quantity::parse("0." + digits));
  CHECK(Quantity::parse("1e2147483647"));
  CHECK(Quantity::parse("1e-2147483648"));
}

}  // namespace gpulint
