import { isObject, type JsonValue } from '../core/canonical/json.ts'
import { discoveryModules } from '../core/discovery/index.ts'
import { surfaceNamesOf, operationsOf } from '../core/registry/operations.ts'
import { Type } from '../core/canonical/type.ts'
import type { Handler } from '../core/handler/handler.ts'
import { defineForm, definePage } from '../core/handler/page.ts'
import { formNameOf } from '../core/manifest/kind.ts'
import type { Surface } from '../core/manifest/surface.ts'
import { parseFields } from '../core/plan/head.ts'
import { Refused } from '../core/page/components.tsx'
import { createRouteIndex } from '../core/plan/dispatch.ts'
import type { Registry } from '../core/registry/registry.ts'
import { answerOf, compileUnserved, exampleRequest } from './ask.ts'
import type { AnyServices } from './roots.ts'

/** Headers that differ between two responses or depend on the body. */
const perAnswer = new Set([
  'x-request-id',
  'ratelimit-remaining',
  'ratelimit-reset',
  'content-length',
  'content-encoding'
])

/** Finds surfaces by `name`: an id, a path as declared, or a path as requested. */
export function findSurfaces(registry: Registry, name: string): readonly Surface[] {
  const all = [...registry.surfaces, ...registry.forms]
  const byId = all.find(({ id }) => id === name)
  if (byId !== undefined) return [byId]
  if (!name.startsWith('/')) return []
  const declared = all.filter(surface => surface.route.path === name)
  if (declared.length > 0) return declared
  const index = createRouteIndex(
    all.map(surface => ({ methods: surface.route.methods, segments: surface.route.segments, value: surface }))
  )
  return [
    ...new Set(
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap(method => {
        const match = index.find(method, name.split('?')[0] ?? name)
        return match !== undefined && 'value' in match ? [match.value] : []
      })
    )
  ]
}

/**
 * Returns the status and the constant headers of the response to the first example that expects a success, or else to
 * the first. Code is replaced by a substitute that returns an empty result.
 */
export async function sampleOf(
  registry: Registry,
  surface: Surface
): Promise<Readonly<{ request: string; status: number; headers: Readonly<Record<string, string>> }>> {
  const nothing = { title: '', main: Refused({ reason: '', back: '' }) }
  const form = defineForm({ reply: Type.Unknown(), view: () => nothing })
  const silent = {
    ...definePage({
      forms: Object.fromEntries(registry.forms.map(({ id }) => [formNameOf(id), form])),
      view: () => nothing
    }),
    handle: () => ({ data: null }),
    derive: () => ({ data: null })
  } as Handler<AnyServices>
  const handlers = new Map(
    registry.surfaces.flatMap(({ code }) => (code === undefined ? [] : [[code, silent] as const]))
  )
  const generation = compileUnserved(registry, handlers, {}, { onFault: () => undefined })
  const example = surface.examples.find(one => one.expect.status < 400) ?? surface.examples[0]
  const request =
    example === undefined
      ? { method: surface.route.methods[0] ?? 'GET', url: surface.route.path, headers: {} }
      : exampleRequest(example)
  const answer = await answerOf(generation, request)
  const pairs = parseFields(answer.head).filter(([name]) => !perAnswer.has(name.toLowerCase()))
  return { request: `${request.method} ${request.url}`, status: answer.status, headers: Object.fromEntries(pairs) }
}

const build = (registry: Registry, document: string): Readonly<Record<string, unknown>> => {
  const now = new Date()
  const built = discoveryModules
    .get(document)
    ?.build(registry, { params: {}, query: {} }, { now, startedAt: now, subsystems: {} })
  return isObject(built) ? built : {}
}

const rows = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

type Entries = Readonly<Record<'manifest' | 'status' | 'tools' | 'openapi' | 'graph', JsonValue>>

/** Returns the entries of a surface in the discovery documents. */
export function entriesOf(registry: Registry, surface: Surface): Entries {
  const manifest = Object.values(build(registry, 'manifest').resources ?? {})
    .flatMap(rows)
    .find(row => row.id === surface.id)
  const status = rows(build(registry, 'status').endpoints).find(row => row.id === surface.id)
  const tool = rows(build(registry, 'tools').tools).find(row => row.name === surfaceNamesOf(registry).get(surface))
  const ids = operationsOf(registry).flatMap(operation => (operation.surface === surface ? [operation.name] : []))
  const paths = Object.values(build(registry, 'openapi').paths ?? {}).filter(isObject)
  const operations = paths.flatMap(path =>
    Object.entries(path).filter(([, operation]) => isObject(operation) && ids.includes(String(operation.operationId)))
  )
  const graph = build(registry, 'graph')
  const node = `resource:${surface.id}`
  const edges = rows(graph.edges).filter(edge => edge.from === node || edge.to === node)
  return {
    manifest: manifest ?? null,
    status: status ?? null,
    tools: tool ?? null,
    openapi: Object.fromEntries(operations),
    graph: { node: rows(graph.nodes).find(one => one.id === node) ?? null, edges }
  } as Entries
}
