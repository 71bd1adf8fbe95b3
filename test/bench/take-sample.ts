import type { RunningServer } from '../../bin/workers/serve.ts'
import { requestOf, type Keys } from './requests.ts'
import { linkTemplate, type Answered, type Sample } from './sample.ts'
import { scenarios } from './scenarios.ts'

/** Documents that the memory of a server is measured with, beside those of the scenarios. */
export const largeDocuments = ['/api/openapi.json', '/api/v1/graph', '/api/v1/tools']

/** Headers of the connection, and those that a candidate must make for each request itself. */
const notKept = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'etag',
  'content-type',
  'x-request-id',
  'ratelimit-remaining',
  'ratelimit-reset'
])

const keptHeaders = (response: Response, route: string, path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...response.headers]
      .filter(([name]) => !notKept.has(name))
      .map(([name, value]) => [name, name === 'link' && route.includes(':key') ? linkTemplate(value, path) : value])
  )

/** What Pantry answers, so that every candidate sends the same bytes. */
export async function takeSample({ url }: RunningServer, keys: Keys, databaseUrl: string): Promise<Sample> {
  const fetched = async (
    route: string,
    paths: Readonly<Record<string, string>>,
    init: Readonly<{ method?: string; headers?: Readonly<Record<string, string>>; body?: string }> = {}
  ): Promise<Answered> => {
    const bodies: Record<string, string> = {}
    let last: Response | undefined
    let headers: Answered['headers'] = {}
    for (const [key, path] of Object.entries(paths)) {
      last = await fetch(url + path, { ...init, headers: { 'accept-encoding': 'identity', ...init.headers } })
      headers = keptHeaders(last, route, path)
      bodies[key] = await last.text()
    }
    if (last === undefined) throw new Error(`${route}: there is nothing to ask for.`)
    return { route, status: last.status, etag: last.headers.get('etag') ?? undefined, headers, bodies }
  }
  /** One answer of a scenario; its route is the path without a query. */
  const ofScenario = async (wanted: string): Promise<Answered> => {
    const scenario = scenarios.find(({ name }) => name === wanted)
    if (scenario === undefined) throw new Error(`There is no scenario ${wanted}.`)
    const { path, method, headers, body } = requestOf(scenario, keys)
    const init = {
      method: method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(typeof body === 'string' ? { body } : {})
    }
    return await fetched(scenario.path.replace(/\?.*/, '').replace(/\{\w+\}/, ':key'), { '': path }, init)
  }
  const fragments = Object.fromEntries(keys.fragment.map(key => [key, `/api/v1/wake/fragments/${key}`]))
  return {
    databaseUrl,
    fixed: [
      ...(await Promise.all(
        ['/api/v1/welcome', '/api/v1/wake/fragments', ...largeDocuments].map(
          async path => await fetched(path, { '': path })
        )
      )),
      await fetched('/api/v1/wake/fragments/:key', fragments)
    ],
    missing: await ofScenario('missing'),
    refused: await ofScenario('refused'),
    card: await ofScenario('card'),
    batch: await ofScenario('batch'),
    set: await ofScenario('set'),
    search: await ofScenario('search-exact')
  }
}
