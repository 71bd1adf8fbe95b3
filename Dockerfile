FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# With `--build-arg OMIT=optional` the image has no database of its own and needs DATABASE_URL.
ARG OMIT=dev
RUN npm run build && npm prune --omit=dev --omit=$OMIT

FROM node:22-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PANTRY_DATA_DIR=/data
COPY --from=build --chown=node:node /app ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# The first start loads the bundled sources before it listens.
HEALTHCHECK --start-period=120s CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "dist/bin/pantry.js", "serve"]
