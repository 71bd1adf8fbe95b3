import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { discoveryModules } from '../../core/discovery/index.ts'
import { isForPrograms } from '../../core/manifest/surface.ts'
import { requestOf } from '../../bin/promises/examples.ts'
import { valueAt } from '../../core/canonical/pointer.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { makeCallers } from '../support/callers.ts'
import { generationOf, library, serveGeneration } from '../support/serve-root.ts'

/** A token of a JSON pointer (RFC 6901 §3). */
const escape = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1')

/** Names of the headers that a part of the document describes. */
function namesOfHeaders(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'headers' ? Object.keys(value as object) : namesOfHeaders(value)
  )
}

/** A validator of its own: the published schemas must hold for the tools other people use. */
const ajv = new Ajv2020({ strict: false, validateFormats: false })

type Operation = {
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, { schema?: object }> }>
}
type OpenApi = { paths: Record<string, Record<string, Operation>>; components: Record<string, Record<string, unknown>> }

t.test('every example of every surface is answered as it says, in the shape that OpenAPI publishes', async t => {
  const { url } = await bundledDatabase(t)
  const faults: unknown[] = []
  const generation = await generationOf(t, ['.', library], { databaseUrl: url, faults })
  const { get, registry } = await serveGeneration(t, generation)
  const { all } = await makeCallers(t, url, { get })
  /** What is sent for the access kinds that examples name in `as`. */
  const credentials: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
    agent: all['agent key'],
    'agent/hunt': all['agent key, hunt'],
    'wholesale-key': all['wholesale key']
  }
  const openapi = JSON.parse(
    JSON.stringify(
      discoveryModules
        .get('openapi')
        ?.build(registry, { params: {}, query: {} }, { now: new Date(), startedAt: new Date(), subsystems: {} })
    )
  ) as OpenApi
  const described = new Set([openapi.paths, openapi.components.responses].flatMap(namesOfHeaders))
  ajv.addSchema({ $id: 'https://pantry.test/openapi', ...openapi })
  /** The check of what stands at a JSON pointer of the document, compiled once. */
  const checkAt = (pointer: string): ReturnType<typeof ajv.compile> =>
    ajv.getSchema(`https://pantry.test/openapi#${encodeURI(pointer)}`) ??
    (() => {
      throw new Error(`No schema at ${pointer}`)
    })()

  for (const surface of registry.surfaces) {
    const { id, route, examples } = surface
    for (const example of examples) {
      const { title, method, url, expect } = example
      const what = `${id}: ${title} (${method} ${url})`
      const request = requestOf(example)
      const sent = new Headers(request.headers)
      for (const [name, value] of Object.entries(credentials[example.as?.kind ?? ''] ?? {})) sent.set(name, value)
      const response = await get(url, { ...request, headers: sent })
      const text = await response.text()
      t.equal(response.status, expect.status, what)
      t.notMatch(text, /https?:[^\s"'<>]+\.(?:avif|gif|jpe?g|png|webp)\b/i, `${what} leads to no image`)
      const mediaType = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
      const path = route.path.length > 1 ? route.path.replace(/\/$/, '') : route.path
      if (!isForPrograms(surface)) continue
      const listed = `/paths/${escape(path)}/${method.toLowerCase()}/responses/${response.status}`
      const answer = openapi.paths[path]?.[method.toLowerCase()]?.responses[String(response.status)]
      if (answer === undefined) {
        t.fail(`${what}: OpenAPI does not list ${response.status}`)
        continue
      }
      const place = answer.$ref?.slice(1) ?? listed
      const { content = {}, headers = {} } = valueAt(openapi, place) as typeof answer
      const unlisted = [...described].filter(name => response.headers.has(name) && !(name in headers))
      t.strictSame(unlisted, [], `${what}: OpenAPI lists its headers`)
      t.ok(mediaType in content, `${what}: OpenAPI lists ${mediaType}`)
      if (mediaType !== 'application/json') continue
      const value = JSON.parse(text) as unknown
      for (const [pointer, wanted] of Object.entries(expect.shows))
        t.same(valueAt(value, pointer), wanted, `${what} ${pointer}`)
      if (content[mediaType]?.schema === undefined) continue
      const validate = checkAt(`${place}/content/${escape(mediaType)}/schema`)
      validate(value)
      t.strictSame(validate.errors ?? [], [], `${what} has the published shape`)
    }
  }
  t.strictSame(faults, [], 'no fault was logged')
})
