// test: long. Every surface through two caches, ten times each, or in a short run a quarter of them; both programs are
// installed apart (Debian: `nginx`, `varnish`).
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { bundledDatabase } from '../support/bundled.ts'
import { inTurns } from '../support/effort.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'
import { absent, askWire, cacheNames, startCache, type Wire } from '../support/shared-caches.ts'

/** Callers who are to be told apart, or not. */
const callers: readonly Readonly<Record<string, string>>[] = [
  { 'Accept-Encoding': 'gzip', 'User-Agent': 'first' },
  {},
  { 'Accept-Encoding': 'br, gzip;q=0.5', 'Accept-Language': 'fr, ja;q=0.5' },
  { Accept: 'text/plain, text/markdown;q=0.9, application/ld+json;q=0.8', 'Accept-Encoding': 'identity' },
  { Accept: 'application/json', 'Accept-Encoding': 'gzip', 'Accept-Language': 'en', 'User-Agent': 'curl/8.9.1' }
]

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync }

const codingOf = ({ headers }: Wire): string => String(headers['content-encoding'] ?? 'identity')
const textOf = (answer: Wire): string =>
  (answer.body.length === 0 ? answer.body : (decoders[codingOf(answer)]?.(answer.body) ?? answer.body)).toString()
/** What two answers of one surface to one caller have in common. */
const stable = (answer: Wire): string =>
  textOf(answer)
    .replaceAll(/req_[\w-]{16}/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replaceAll(/"@self_hash":"[0-9a-f]{64}"|"unix_epoch_seconds":\d+/g, 'TIME')

/** Headers that say what the bytes are, and those that belong to one request. */
const describing = ['content-type', 'content-language', 'x-content-license', 'location', 'allow', 'vary']
const ofOneRequest = ['x-request-id', 'ratelimit-remaining', 'ratelimit-reset']

/**
 * What is wrong with an answer that came through a cache, compared with the one that the service gives to the same
 * caller.
 */
function problem(
  through: Wire,
  direct: Wire,
  asked: Readonly<Record<string, string>>,
  isSteady: boolean
): string | undefined {
  const coding = codingOf(through)
  if (coding !== 'identity' && !(asked['Accept-Encoding'] ?? '').includes(coding))
    return `${coding} for a caller who did not ask for it`
  if (through.status !== direct.status) return `${through.status} instead of ${direct.status}`
  const other = describing.find(name => through.headers[name] !== direct.headers[name])
  if (other !== undefined)
    return `${other}: ${String(through.headers[other])} instead of ${String(direct.headers[other])}`
  if (through.raw.filter((name, index) => index % 2 === 0 && /^vary$/i.test(name)).length > 1) return 'two Vary lines'
  const stored =
    through.headers['x-cache'] === 'HIT' ? ofOneRequest.find(name => through.headers[name] !== undefined) : undefined
  if (stored !== undefined) return `${stored} was stored`
  return isSteady && stable(through) !== stable(direct) ? 'other content' : undefined
}

for (const name of cacheNames) {
  t.test(
    `behind ${name} every caller gets the bytes that are for them, and nothing of another`,
    { skip: absent(name) },
    async t => {
      const generation = await generationOf(t, ['.'], { databaseUrl: (await bundledDatabase(t)).url })
      const { server, registry } = await serveGeneration(t, generation)
      const { port } = server.address() as AddressInfo
      const cache = await startCache(t, name, port)
      let shared = 0
      for (const { id, route, examples } of inTurns(
        registry.surfaces.filter(({ route }) => route.methods.includes('GET')),
        4
      )) {
        const url =
          examples.find(({ method, expect }) => method === 'GET' && expect.status < 400)?.url ??
          examples.find(({ method }) => method === 'GET')?.url ??
          route.path
        let hits = 0
        let isShared = false
        const ids = new Set<string>()
        // Each asks twice: what the first round stored is given in the second, to others as well.
        for (const headers of [...callers, ...callers]) {
          const direct = await askWire({ port }, url, headers)
          const isPublic = /^public/.test(String(direct.headers['cache-control']))
          // Varnish 7 knows no 308, and stores none.
          const isStorable = isPublic && !(name === 'varnish' && direct.status === 308)
          const isSteady = isPublic && stable(direct) === stable(await askWire({ port }, url, headers))
          isShared ||= isStorable
          for (const [door, socketPath] of [
            ['silent', cache.silent],
            ['told', cache.told]
          ] as const) {
            const through = await askWire({ socketPath }, url, headers)
            const found = problem(through, direct, headers, isSteady)
            if (found !== undefined) t.fail(`${id} (${url}, ${door}, ${JSON.stringify(headers)}): ${found}`)
            if (door === 'told') hits += Number(through.headers['x-cache'] === 'HIT')
            else if (through.headers['x-cache'] === 'HIT') t.fail(`${id} was stored with what belongs to one request`)
            const requestId = through.headers['x-request-id']
            if (typeof requestId === 'string') {
              if (ids.has(requestId)) t.fail(`${id} (${door}): one request id for two requests`)
              ids.add(requestId)
            }
          }
        }
        shared += Number(isShared)
        if (hits > 0 && !isShared) t.fail(`${id} was stored, and must not be`)
        if (hits === 0 && isShared) t.fail(`${id} (${url}) may be shared, and was not stored`)
      }
      t.ok(shared > 0)
    }
  )
}
