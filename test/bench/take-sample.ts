import type { BenchDatabase } from './database.ts'
import type { Sample, Scenario } from './scenarios.ts'

/** Headers of an answer that describe its content; the others belong to the connection. */
const ownHeaders = (response: Response): (readonly [string, string])[] => [...response.headers].filter(([name]) => !['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'].includes(name))

export type Taken = Readonly<{ sample: Sample, paths: readonly string[] }>

/** What Pantry answers to a scenario, so that every candidate sends the same bytes. */
export async function takeSample (scenario: Scenario, { pantry, skus, url: databaseUrl }: BenchDatabase): Promise<Taken> {
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(pantry.url + path, { headers: { 'Accept-Encoding': 'identity', ...headers } })
  const fragments = pantry.app.generation.registry.corpora.get('wake-fragments')?.byKey.keys() ?? []
  const keys = scenario.keys === undefined ? [''] : scenario.keys === 'cards' ? skus : [...fragments]
  const paths = keys.map(key => scenario.path.replace(/\{\w+\}/, encodeURIComponent(key)))
  const first = await get(paths[0] ?? '')
  const etag = first.headers.get('etag')
  const conditional: Record<string, string> = scenario.conditional === true && etag !== null ? { 'If-None-Match': etag } : {}
  const bodies: Record<string, string> = {}
  for (const [index, path] of paths.entries()) {
    if (scenario.keys !== 'cards' || index === 0) bodies[keys[index] ?? ''] = await (await get(path)).text()
  }
  const shown = scenario.conditional === true ? await get(paths[0] ?? '', conditional) : first
  if (shown.status !== scenario.status) throw new Error(`${scenario.name}: ${shown.status} instead of ${scenario.status}.`)
  const headers = ownHeaders(shown)
  return {
    sample: { scenario: scenario.name, route: scenario.path, status: scenario.status, headers, bodies, etag: scenario.conditional === true ? etag : null, databaseUrl },
    paths
  }
}
