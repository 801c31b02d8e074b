# docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/work" gpulint check
FROM debian:bookworm-20260918-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251 AS build
WORKDIR /src
COPY ci/packages ci/install_packages ci/
RUN . ci/packages && ci/install_packages $BUILD_PACKAGES python3-venv
COPY . .
RUN cmake --preset package && cmake --build --preset package && \
    cmake --install build/package --prefix /opt/gpulint --component gpulint --strip
RUN GO=$(ci/go pinned) ci/render build /opt/gpulint/bin/gpulint-render

# git answers --changed-since.
FROM debian:bookworm-20260918-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends git && \
    rm -rf /var/lib/apt/lists/* && git config --system safe.directory /work
COPY --from=build /opt/gpulint/ /usr/local/
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["gpulint"]
CMD ["check"]
