import type { Files } from '../../core/kinds/scaffold.ts'
import type { PackageManager } from '../package-managers.ts'

/** How a package manager comes into an image, installs by the lockfile, and removes what only the build needs. */
type Installing = Readonly<{ get: string; install: string; prune: string; run: string }>

const npm: Installing = { get: '', install: 'npm ci', prune: 'npm prune --omit=dev', run: 'npm run' }

const others: Readonly<Record<string, Installing>> = {
  pnpm: {
    get: 'npm install --global pnpm && ',
    install: 'pnpm install --frozen-lockfile',
    prune: 'pnpm prune --prod',
    run: 'pnpm run'
  },
  yarn: {
    get: 'npm install --global yarn && ',
    install: 'yarn install --frozen-lockfile',
    prune: 'yarn install --frozen-lockfile --production',
    run: 'yarn run'
  },
  bun: {
    get: 'npm install --global bun && ',
    install: 'bun install --frozen-lockfile',
    prune: 'bun install --frozen-lockfile --production',
    run: 'bun run'
  }
}

/**
 * The last stage of an image: the code belongs to root, and the process that answers writes to `/data` alone. The
 * labels are those of OCI; what differs with each build comes last, so that the layers before it stay.
 */
export const servingStage = (title: string, license: string, start: readonly string[]): string => `FROM $NODE
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
CMD ${JSON.stringify(start).replaceAll(',', ', ')}
ARG VERSION=unreleased REVISION=unknown SOURCE=unknown
LABEL org.opencontainers.image.title="${title}" org.opencontainers.image.licenses="${license}"
LABEL org.opencontainers.image.version="$VERSION" org.opencontainers.image.revision="$REVISION"
LABEL org.opencontainers.image.source="$SOURCE"
`

/** The database beside a service: it can write nothing but its data. */
export const databaseService = (memory: string): string => `  database:
    image: postgres:18
    restart: unless-stopped
    shm_size: 256mb
    environment:
      POSTGRES_USER: pantry
      POSTGRES_DB: pantry
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?Set POSTGRES_PASSWORD in .env}
    volumes: ['database:/var/lib/postgresql']
    read_only: true
    tmpfs: [/tmp, /var/run/postgresql]
    # It starts as root, gives its folder to the user postgres, and becomes that user.
    cap_drop: [ALL]
    cap_add: [CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID]
    security_opt: ['no-new-privileges:true']
    mem_limit: ${memory}
    healthcheck:
      test: ['CMD', 'pg_isready', '--username', 'pantry', '--dbname', 'pantry']
      interval: 5s
      timeout: 5s
      retries: 12
`

/** The part of `RUN` that builds what no Node.js of the image runs as it is written, so also what is added later. */
const buildIfTyped =
  "if find surfaces migrations \\( -name '*.ts' -o -name '*.tsx' \\) ! -name '*.d.ts' 2>/dev/null | grep -q .; then node_modules/.bin/pantry build; fi"

const dockerfile = (name: string, { get, install, prune }: Installing): string => `# syntax=docker/dockerfile:1
# The service in an image: \`docker build --tag ${name} .\`, or beside a database: \`docker compose up --detach --build\`.
# For an image that stays the same, give the digest too: \`--build-arg NODE=node:22-slim@sha256:…\`.
ARG NODE=node:22-slim
FROM $NODE AS build
WORKDIR /app
# A tarball of a package, where there is one, lies beside package.json.
COPY package.json *lock* *.tgz* ./
RUN --mount=type=cache,target=/root/.npm ${get}${install}
COPY . .
RUN ${buildIfTyped} && ${prune}

${servingStage(name, 'NOASSERTION', ['node_modules/.bin/pantry', 'serve'])}`

const outside = `# What stays outside of the image.
.git
.dockerignore
.env
.pantry
Dockerfile
compose.yaml
dist
node_modules
test
*.log
`

const compose = (
  name: string
): string => `# The service beside a PostgreSQL server of its own. Write POSTGRES_PASSWORD (letters and digits) into .env, then
# \`docker compose up --detach --build --wait\`.
services:
  ${name}:
    build: .
    init: true
    restart: unless-stopped
    # Pantry finishes what it has begun, which takes up to ten seconds.
    stop_grace_period: 15s
    ports: ['127.0.0.1:\${PORT:-8080}:8080']
    environment:
      DATABASE_URL: postgres://pantry:\${POSTGRES_PASSWORD:?Set POSTGRES_PASSWORD in .env}@database/pantry
      # What callers see in links. Behind a proxy: the public origin.
      PANTRY_BASE_URL: \${PANTRY_BASE_URL:-http://localhost:\${PORT:-8080}}
    volumes: ['data:/data']
    read_only: true
    tmpfs: [/tmp]
    cap_drop: [ALL]
    security_opt: ['no-new-privileges:true']
    mem_limit: 512m
    depends_on:
      database: { condition: service_healthy }
${databaseService('1g')}volumes:
  data:
  database:
`

/** Returns what puts a new service into a container. */
export const containerFiles = (name: string, manager: PackageManager): Files => ({
  Dockerfile: dockerfile(name, others[manager.name] ?? npm),
  '.dockerignore': outside,
  'compose.yaml': compose(name)
})
