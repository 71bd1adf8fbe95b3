import type { JsonObject } from '../canonical/json.ts'
import { onceFor } from '../canonical/once-for.ts'
import { compileMeta, metaFactsOf } from '../contract/envelope.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

const exampleTime = '2026-01-01T00:00:00.000Z'
const exampleId = 'req_0000000000000000'

const writerOf = onceFor(compileMeta)

/**
 * Returns a complete `_meta` of a surface at a fixed time. The code that writes every enveloped answer makes it, so the
 * sample always matches real answers.
 */
export function sampleMeta(registry: Registry, surface: Surface): JsonObject {
  const [beforeTime, beforeId, end] = writerOf(registry)(
    surface.route.path,
    exampleTime,
    metaFactsOf(surface, registry)
  )
  return JSON.parse(beforeTime + exampleTime + beforeId + exampleId + end) as JsonObject
}
