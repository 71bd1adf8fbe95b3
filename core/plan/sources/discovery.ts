import type { DiscoveryModule, Observations } from '../../discovery/discovery.ts'
import type { SurfaceOf } from '../../manifest/surface.ts'
import type { Registry } from '../../registry/registry.ts'
import type { DiscoveryDocument } from '../../vocabulary/words.ts'
import type { Result, Source } from '../result.ts'

export type DiscoveryGiven = Readonly<{
  registry: Registry
  modules: ReadonlyMap<DiscoveryDocument, DiscoveryModule>
  observe: (now: Date) => Observations
}>

/** A document computed from the registry; `status` and `health` also see what the process observed. */
export function compileDiscovery (surface: SurfaceOf<'discovery'>, given: DiscoveryGiven): Source {
  const { registry, modules, observe } = given
  const module = modules.get(surface.answer.document)
  if (module === undefined) throw new Error(`No module builds the discovery document ${surface.answer.document}.`)
  const answer = (input: Parameters<Source['answer']>[0], now: Date): Result => {
    const request = { params: input.params, query: input.query }
    const renderings = Object.fromEntries(Object.entries(module.renderings ?? {}).map(([format, build]) => [format, () => build(registry, request)]))
    return { status: 200, data: module.build(registry, request, observe(now)), renderings }
  }
  return module.live === true
    ? { when: 'live', answer: (input, { now }) => answer(input, now) }
    : { when: 'pure', answer: (input, { now }) => answer(input, now) }
}
