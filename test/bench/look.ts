import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { requestOf } from './requests.ts'
import type { Setting } from './rounds.ts'
import type { Scenario, Server } from './scenarios.ts'
import type { Started } from './servers.ts'

type Answer = Readonly<{
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}>

const ask = (server: Started, { path, method, headers, body }: ReturnType<typeof requestOf>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      server.url + path,
      { method: method ?? 'GET', headers: headers ?? {}, agent: false },
      response => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => {
          parts.push(part)
        })
        response.on('end', () => {
          const whole = Buffer.concat(parts)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: (response.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole).toString()
          })
        })
      }
    )
    sent.on('error', reject)
    sent.end(body)
  })

/** Part of the length by which an answer may differ that is made from one example and from rows, or a path. */
const tolerance = 0.1
/** How many answers of Pantry show how long they can be: a text that belongs to the path varies. */
const looks = 40

/** The lengths that Pantry's answers have, where each request has another one. */
async function lengthsOf(scenario: Scenario, pantry: Started, keys: Setting['keys']): Promise<readonly number[]> {
  const lengths: number[] = []
  if (scenario.database === true || scenario.path.includes('{random}'))
    for (let count = 0; count < looks; count++) lengths.push((await ask(pantry, requestOf(scenario, keys))).text.length)
  return lengths
}

const isAsLong = (length: number, own: number, lengths: readonly number[]): boolean =>
  lengths.length === 0
    ? length === own
    : length >= Math.min(...lengths) * (1 - tolerance) && length <= Math.max(...lengths) * (1 + tolerance)
const sameHeaders = ['content-encoding', 'cache-control', 'link', 'content-type']

/**
 * Throws unless every server gives the same answer as Pantry to some requests, and each a request id of its own: who
 * does less work is no measure.
 */
export async function look(
  wanted: readonly Scenario[],
  running: ReadonlyMap<Server, Started>,
  { keys }: Setting
): Promise<void> {
  const pantry = running.get('pantry')
  if (pantry === undefined) throw new Error('Pantry does not run.')
  for (const scenario of wanted) {
    for (const { to } of scenario.beside ?? []) {
      const other = running.get(to as Server)
      if (other === undefined) continue
      const refuse = (what: string): never => {
        throw new Error(`${scenario.name}: ${to} differs in ${what}.`)
      }
      const asked = requestOf(scenario, keys)
      const ids = new Set<unknown>()
      const lengths = await lengthsOf(scenario, pantry, keys)
      for (let count = 0; count < 3; count++) {
        const [own, its] = [await ask(pantry, asked), await ask(other, asked)]
        if (own.status !== its.status) refuse(`status: ${its.status} instead of ${own.status}`)
        for (const name of sameHeaders)
          if (own.headers[name] !== its.headers[name] && to !== 'large')
            refuse(`${name}: ${String(its.headers[name])} instead of ${String(own.headers[name])}`)
        if ((own.headers['etag'] === undefined) !== (its.headers['etag'] === undefined)) refuse('its entity tag')
        if (to !== 'node' && !isAsLong(its.text.length, own.text.length, lengths))
          refuse(`length: ${its.text.length} instead of ${own.text.length}`)
        ids.add(its.headers['x-request-id'])
      }
      if (to !== 'node' && ids.size < 3) refuse('request ids, which are always the same')
    }
  }
}
