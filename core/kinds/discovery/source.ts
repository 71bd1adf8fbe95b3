import type { JsonValue } from '../../canonical/json.ts'
import { sharedWhileMade } from '../../canonical/once-for.ts'
import { inSlices } from '../../canonical/slices.ts'
import { discoveryModules } from '../../discovery/index.ts'
import type { Surface } from '../../manifest/surface.ts'
import { extendValue } from '../../registry/registry.ts'
import type { Given } from '../../plan/kind.ts'
import type { PlanInput, Result, ContentSource } from '../../plan/result.ts'

export type DiscoveryAnswer = Readonly<{ serves: string }>

/**
 * Compiles a surface that serves a document computed from the registry. Its module may also read what the process
 * observed.
 */
export function compileDiscovery(
  surface: Surface<DiscoveryAnswer>,
  { registry, observations }: Given<'registry' | 'observations'>
): ContentSource {
  const { serves } = surface.answer
  const module = discoveryModules.get(serves)
  if (module === undefined) throw new Error(`No module builds the discovery document ${serves}.`)
  const resultOf = (input: PlanInput, built: JsonValue): Result => {
    const request = { params: input.params, query: input.query }
    const renderings = Object.fromEntries(
      Object.entries(module.renderings ?? {}).map(([format, build]) => [
        format,
        () => build?.(registry, request) ?? null
      ])
    )
    const data = extendValue(registry, serves, built)
    if (module.file === undefined) return { status: 200, data, renderings }
    const { mediaType, control } = module.file(registry, request)
    return {
      status: 200,
      data,
      file: { mediaType, text: typeof data === 'string' ? data : JSON.stringify(data) },
      headers: { 'Cache-Control': control }
    }
  }
  const { slices } = module
  if (slices !== undefined) {
    const built = sharedWhileMade(() => inSlices(slices(registry)))
    return { when: 'slow', answer: async input => resultOf(input, await built()) }
  }
  const answer = (input: PlanInput, now: Date): Result =>
    resultOf(input, module.build(registry, { params: input.params, query: input.query }, observations(now)))
  return module.live === true
    ? { when: 'live', answer: (input, { now }) => answer(input, now) }
    : { when: 'pure', answer: (input, { now }) => answer(input, now) }
}
