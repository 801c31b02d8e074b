#pragma once

#include <cstdio>
#include <cstdlib>

/// A broken invariant of gpulint itself: says where and aborts. Never used for user input.
#define GPULINT_CHECK(condition)                                                            \
  ((condition) ? static_cast<void>(0)                                                       \
               : (std::fprintf(stderr, "gpulint: internal error: %s (%s:%d)\n", #condition, \
                               __FILE__, __LINE__),                                         \
                  std::abort()))
