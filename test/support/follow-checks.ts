import type { Test } from 'tap'
import { valueAt } from '../../bin/promises/examples.ts'
import type { JsonObject } from '../../core/canonical/json.ts'
import { bundledDatabase } from './bundled.ts'
import { makeCallers, type Credentials } from './callers.ts'
import { generationOf, serveGeneration, type Served } from './serve-root.ts'

/** Words of a text, and a request whose answer makes them true. `step`: the command of a step is run instead. */
export type Check = Readonly<{
  step?: number
  says?: string
  as?: 'agent' | 'buyer' | 'operator' | 'seller'
  method?: string
  path?: string
  body?: JsonObject
  status: number
  shows?: JsonObject
  lacks?: readonly string[]
  keeps?: Readonly<Record<string, string>>
}>
type Answer = Readonly<{ status: number; text: string }>
export type Values = Record<string, string>
/** The service, and what each of those who ask sends. */
export type Asked = Served & Readonly<{ who: Readonly<Record<string, Credentials>> }>

/** The whole service over a database with the bundled cards, and those who ask in checks. */
export async function serveAsked(t: Pick<Test, 'teardown' | 'testdirName'>): Promise<Asked> {
  const { url } = await bundledDatabase(t)
  const served = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const { all } = await makeCallers(t, url, served)
  const credentials = { agent: 'agent key', buyer: 'person', operator: 'admin', seller: 'seller' }
  return { ...served, who: Object.fromEntries(Object.entries(credentials).map(([as, name]) => [as, all[name] ?? {}])) }
}

/** `$NAME` is a value of an earlier answer, `$IN_2_DAYS` a time. */
const filled = (text: string, values: Values): string =>
  text.replaceAll(
    /\$(?:IN_(\d+)_(DAY|MINUTE)S?|([A-Z_]+))\b/g,
    (whole, count?: string, unit?: string, name?: string) =>
      count === undefined
        ? (values[name ?? ''] ?? whole)
        : new Date(Date.now() + Number(count) * (unit === 'DAY' ? 86_400_000 : 60_000)).toISOString()
  )

/** What a text has in it of JSON: all of it, or what is behind headers or a line that was printed before. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.search(/^\{/m)))
  } catch {
    return undefined
  }
}

/** `data.cards.0` is the first one. */
const placeIn = (json: unknown, place: string): unknown => valueAt(json, `/${place.replaceAll('.', '/')}`)

export const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

async function ask({ get, who }: Asked, check: Check, values: Values): Promise<Answer> {
  const { as, method = 'GET', path = '', body } = check
  const response = await get(filled(path, values), {
    method,
    ...(body === undefined ? {} : { body: filled(JSON.stringify(body), values) }),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(as === undefined ? {} : who[as])
    }
  })
  return { status: response.status, text: await response.text() }
}

/**
 * Sends the requests of checks in their order. Each names words of the texts, and its answer has to be as it says.
 * `run` runs the command of a step, with the values of earlier answers.
 */
export async function followChecks(
  t: Test,
  texts: readonly string[],
  checks: readonly Check[],
  asked: Asked,
  run?: (step: number, values: Values) => Promise<Answer>
): Promise<void> {
  const values: Values = { ORIGIN: asked.url }
  for (const check of checks) {
    const { step, says, as = 'anybody', method = 'GET', path = '', status, shows = {}, lacks = [], keeps = {} } = check
    const what = step === undefined ? `${says ?? ''} (${as}: ${method} ${path})` : `step ${step}`
    if (says !== undefined || step === undefined)
      t.ok(
        texts.some(text => text.includes(says ?? '\0')),
        `the text says: ${says ?? ''}`
      )
    const answer = step === undefined || run === undefined ? await ask(asked, check, values) : await run(step, values)
    t.equal(answer.status, status, `${what}: ${answer.text.slice(0, 600)}`)
    const json = jsonIn(answer.text)
    for (const [place, value] of Object.entries(shows))
      t.strictSame(placeIn(json, place), typeof value === 'string' ? filled(value, values) : value, `${what}: ${place}`)
    for (const place of lacks) {
      t.type(json, 'object', `${what}: it is JSON`)
      t.equal(placeIn(json, place), undefined, `${what}: it lacks ${place}`)
    }
    for (const [name, place] of Object.entries(keeps)) {
      const value = placeIn(json, place)
      t.type(value, 'string', `${what}: ${place}`)
      values[name] = String(value)
    }
  }
}
