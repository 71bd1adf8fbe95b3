import { readFileSync } from 'node:fs'
import { accessTable, keyHeader } from '../../core/access/index.ts'
import { canonicalize, isObject, type JsonValue } from '../../core/canonical/json.ts'
import { valueAt } from '../../core/canonical/pointer.ts'
import { quotedList, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Example, Surface } from '../../core/manifest/surface.ts'
import type { ClaimAnswer, Values } from './claims.ts'
import type { ClaimedText } from '../../core/registry/claims.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { compileSchema } from '../../core/schema/compile.ts'
import { readYaml } from '../../core/source/read-yaml.ts'
import { report, type Pointer } from '../../core/source/report.ts'

/** Ways in which a service is run: as it is at first, in use, and in use with everything that can be set. */
export type Configuration = 'fresh' | 'seeded' | 'full'

/** A running service under test. */
export type Subject = Readonly<{
  registry: Registry
  /** What the texts of the roots claim of the service. */
  claims: readonly ClaimedText[]
  /** Sends one request to the service; redirects are not followed. */
  ask: (path: string, init?: RequestInit) => Promise<Response>
  /** Sends an example; one with `as` is sent with a key of the tests, if a root makes keys. */
  run: (example: Example) => Promise<Response>
  /**
   * Returns the header of somebody of an access kind, and after a slash which one of several; `undefined` if no root
   * makes such keys or sessions for tests.
   */
  headersOf: (as: string) => Promise<Readonly<Record<string, string>> | undefined>
  /** Runs a command of a text against the service. */
  runCommand: (command: string, values: Values) => Promise<ClaimAnswer | undefined>
  /**
   * Does work on the same roots in their other configurations, over another database: `seeded`, with what roots fill
   * their stores with for tests, and `full`, also with the settings that have examples set to these.
   */
  inOthers: <T>(work: (subject: Subject, configuration: Configuration) => Promise<T>) => Promise<readonly T[]>
  /** Tells what was left out. */
  note: (text: string) => void
  /**
   * Returns and clears the faults since the last call: one sentence each, with the request and the place in the code.
   */
  faults: () => readonly string[]
}>

/** `broken` returns one sentence for each violation. */
export type Promised = Readonly<{ name: string; broken: (subject: Subject) => Promise<readonly string[]> }>

/** Adds the faults of the service during the check to what breaks the promise. */
export const withFaults = ({ name, broken }: Promised): Promised => ({
  name,
  broken: async subject => [...(await broken(subject)), ...subject.faults()]
})

export const mediaTypeOf = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';')[0] ?? ''

/** Returns the parsed body; `undefined` if it is not JSON. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown
  } catch {
    return undefined
  }
}

/** Returns the request of an example. `key`: the key of who asks, for an example with `as`. */
export const requestOf = ({ method, headers, as, content }: Example, key?: string): RequestInit => ({
  method,
  headers: {
    ...(content === undefined ? {} : { 'Content-Type': content.type }),
    ...headers,
    ...(as === undefined || key === undefined ? {} : { [as.header[0]]: as.header[1].replace('<key>', () => key) })
  },
  ...(content === undefined ? {} : { body: content.text })
})

export const isSame = (found: unknown, expected: JsonValue): boolean =>
  found !== undefined && canonicalize(found as JsonValue) === canonicalize(expected)

/** `at` is the part of the example that is contradicted. */
type Difference = Readonly<{ at: Pointer; text: string; hint?: string | undefined }>

/** Returns what to do where an example was refused because of who asked; `undefined` where it was not. */
function refusalHint(
  { registry }: Subject,
  { access, scope }: Surface,
  { as }: Example,
  status: number
): string | undefined {
  if (status !== 401 && status !== 403) return undefined
  if (as !== undefined && status === 401)
    return `No root makes keys of \`${as.kind}\` for tests. \`pantry/keys\` as a root does it for agents, and \`keyForTests\` of the service \`callers\` for others.`
  const kinds = accessTable(registry.service.access)
  const withKeys = access.filter(name => keyHeader(kinds[name] ?? { meaning: '' }, '') !== undefined)
  return withKeys.length === 0
    ? `No key opens this surface. Expect what others are answered: \`expect: { status: ${status} }\`.`
    : `Say who asks, and the tests make a key for it: ${quotedList(
        withKeys.map(name => `as: ${name === 'agent' && scope !== undefined ? `${name}/${scope}` : name}`),
        ' or '
      )}.`
}

/** Returns the data of a response, without the envelope. */
export const payloadOf = (surface: Surface, value: unknown): unknown =>
  surface.contract === 'envelope' && isObject(value) ? value['data'] : value

async function differences(subject: Subject, surface: Surface, example: Example): Promise<readonly Difference[]> {
  const response = await subject.run(example)
  if (response.status !== example.expect.status)
    return [
      {
        at: ['expect', 'status'],
        text: `answered ${response.status} instead of ${example.expect.status}: ${(await response.text()).slice(0, 300)}`,
        hint: refusalHint(subject, surface, example, response.status)
      }
    ]
  if (mediaTypeOf(response) !== 'application/json') return []
  const value = await jsonOf(response)
  const shown = Object.entries(example.expect.shows).flatMap(([pointer, expected]) => {
    const found = valueAt(value, pointer)
    const text = `shows ${JSON.stringify(found)} at ${pointer} instead of ${JSON.stringify(expected)}`
    return isSame(found, expected) ? [] : [{ at: ['expect', 'shows', pointer], text }]
  })
  // Errors have a shape of their own, and so have the forms of `?format=`.
  if (response.status >= 400 || /[?&]format=/.test(example.url)) return shown
  return [
    ...shown,
    ...compileSchema(surface.output)(payloadOf(surface, value)).map(({ pointer, message }) => ({
      at: [],
      text: `does not have the published shape: /${pointer.join('/')} ${message}`
    }))
  ]
}

export async function wrongExamples(subject: Subject): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const surface of subject.registry.surfaces) {
    const { file } = surface.origin
    for (const [index, example] of surface.examples.entries()) {
      const request = `${surface.id}: "${example.title}" (${example.method} ${example.url})`
      for (const { at, text, hint } of await differences(subject, surface, example)) {
        const source = readYaml(file, readFileSync(file))
        found.push(report(source, 'X101', ['examples', index, ...at], `${request} ${text}`, { hint }))
      }
    }
  }
  return found
}

export const examples: Promised = {
  name: 'Every example is answered as it says, in the shape that is published.',
  broken: async subject =>
    (await wrongExamples(subject)).map(
      ({ file, span, message, hint }) => `${file}:${span.line}: ${message}${hint === undefined ? '' : ` ${hint}`}`
    )
}
