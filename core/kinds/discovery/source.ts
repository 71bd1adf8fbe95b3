import { discoveryModules } from '../../discovery/index.ts'
import type { Surface } from '../../manifest/surface.ts'
import { extendValue } from '../../registry/extension.ts'
import type { Given } from '../../plan/kind.ts'
import type { PlanInput, Result, Source } from '../../plan/result.ts'

export type DiscoveryAnswer = Readonly<{ serves: string }>

/** A document computed from the registry; `status` and `health` also see what the process observed. */
export function compileDiscovery(
  surface: Surface<DiscoveryAnswer>,
  { registry, observations }: Given<'registry' | 'observations'>
): Source {
  const { serves } = surface.answer
  const module = discoveryModules.get(serves)
  if (module === undefined) throw new Error(`No module builds the discovery document ${serves}.`)
  const answer = (input: PlanInput, now: Date): Result => {
    const request = { params: input.params, query: input.query }
    const renderings = Object.fromEntries(
      Object.entries(module.renderings ?? {}).map(([format, build]) => [
        format,
        () => build?.(registry, request) ?? null
      ])
    )
    const data = extendValue(registry, serves, module.build(registry, request, observations(now)))
    if (module.file === undefined) return { status: 200, data, renderings }
    const { mediaType, control } = module.file(registry, request)
    return {
      status: 200,
      data,
      file: { mediaType, text: typeof data === 'string' ? data : JSON.stringify(data) },
      headers: { 'Cache-Control': control }
    }
  }
  return module.live === true
    ? { when: 'live', answer: (input, { now }) => answer(input, now) }
    : { when: 'pure', answer: (input, { now }) => answer(input, now) }
}
