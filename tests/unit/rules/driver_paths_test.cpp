#include "rules/support/driver_paths.h"

#include <string_view>

#include <catch2/catch.hpp>

using gpulint::rules::classify_host_path;
using gpulint::rules::DriverPath;

TEST_CASE("host paths are told apart by what they take from the node") {
  for (const std::string_view path : {"/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm/"}) {
    CHECK(classify_host_path(path) == DriverPath::device);
  }
  for (const std::string_view path : {"/usr/lib/nvidia-375", "/usr/lib/nvidia-384/bin",
                                      "/var/lib/nvidia-docker/volumes/nvidia_driver/384.90"}) {
    CHECK(classify_host_path(path) == DriverPath::old_driver);
  }
  for (const std::string_view path :
       {"/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/usr/lib64/libnvidia-ml.so", "/usr/local/nvidia",
        "/usr/local/cuda-11.8/lib64", "/usr/bin/nvidia-smi", "/usr/lib/nvidia"}) {
    CHECK(classify_host_path(path) == DriverPath::driver);
  }
  CHECK(classify_host_path("/home/kubernetes/bin/nvidia/lib64") == DriverPath::gke_driver);
  for (const std::string_view path : {"/lib64", "/usr/lib/", "/usr/lib/aarch64-linux-gnu"}) {
    CHECK(classify_host_path(path) == DriverPath::library_directory);
  }
}

TEST_CASE("paths with similar names take nothing") {
  for (const std::string_view path :
       {"/dev", "/dev/shm", "/dev/dri", "/var/lib/kubelet/device-plugins", "/run/nvidia/driver",
        "/home/kubernetes/bin/gib", "/usr/local/nvidiascape", "/opt/nvidia", "/mnt/lib64",
        "/usr/lib/python3", "/data/usr/lib/nvidia-375", "", "/"}) {
    CAPTURE(path);
    CHECK(classify_host_path(path) == DriverPath::none);
  }
}
