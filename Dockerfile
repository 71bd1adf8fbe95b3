# syntax=docker/dockerfile:1
# For an image that stays the same, give the digest too: `--build-arg NODE=node:22-slim@sha256:…`.
ARG NODE=node:22-slim
FROM $NODE AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY . .
# With `--build-arg OMIT=optional` the image has no database of its own and needs DATABASE_URL.
ARG OMIT=dev
RUN npm run build && npm prune --omit=dev --omit=$OMIT

FROM $NODE
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PANTRY_DATA_DIR=/data
# glibc gives memory back that was used for a moment.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
# The code belongs to root, so that the process cannot change it.
COPY --from=build /app ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/bin/pantry.js", "serve"]
ARG VERSION=unreleased REVISION=unknown SOURCE=unknown
LABEL org.opencontainers.image.title="pantry" org.opencontainers.image.licenses="MIT"
LABEL org.opencontainers.image.version="$VERSION" org.opencontainers.image.revision="$REVISION"
LABEL org.opencontainers.image.source="$SOURCE"
