class Gpulint < Formula
  desc "Linter for GPU access configuration on Kubernetes and Flyte"
  homepage "@HOME@"
  version "@VERSION@"
  license "Apache-2.0"
  depends_on :linux

  on_intel do
    url "@HOME@/releases/download/v@VERSION@/gpulint-@VERSION@-linux-amd64.tar.gz"
    sha256 "@SHA256_AMD64@"
  end
  on_arm do
    url "@HOME@/releases/download/v@VERSION@/gpulint-@VERSION@-linux-arm64.tar.gz"
    sha256 "@SHA256_ARM64@"
  end

  def install
    bin.install Dir["bin/*"]
    man1.install "share/man/man1/gpulint.1"
    bash_completion.install "share/bash-completion/completions/gpulint"
    zsh_completion.install "share/zsh/vendor-completions/_gpulint"
    fish_completion.install "share/fish/vendor_completions.d/gpulint.fish"
    doc.install Dir["share/doc/gpulint/*"], "share/doc/gpulint-render"
  end

  test do
    assert_match "gpulint #{version}", shell_output("#{bin}/gpulint --version")
  end
end
