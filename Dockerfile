FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
# Without its script, which would build before the sources are here.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /tmp \
  && npm install --global --prefix /opt/xds-inspect --offline --no-audit --no-fund /tmp/xds-inspect-*.tgz

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="xds-inspect" \
  org.opencontainers.image.description="Inspects an xDS control plane as a gRPC client" \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="Apache-2.0"
# The tool needs only Node: no package manager.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
COPY --from=build /opt/xds-inspect /opt/xds-inspect
ENV PATH=/opt/xds-inspect/bin:$PATH
WORKDIR /work
# Numeric, so that Kubernetes can verify runAsNonRoot.
USER 65532:65532
ENTRYPOINT ["xds-inspect"]
