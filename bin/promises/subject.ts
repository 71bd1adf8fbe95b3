import { isObject } from '../../core/canonical/json.ts'
import type { Registry } from '../../core/registry/registry.ts'

/** A running service under test. */
export type Subject = Readonly<{
  registry: Registry
  /** Sends one request to the service; redirects are not followed. */
  ask: (path: string, init?: RequestInit) => Promise<Response>
  /**
   * Returns and clears the faults of the service since the last call: one sentence each, with the request and the
   * location in the code.
   */
  faults: () => readonly string[]
}>

/** A promise of a service, and a check that returns one sentence for each violation. */
export type Promised = Readonly<{ name: string; broken: (subject: Subject) => Promise<readonly string[]> }>

/** Returns the promise with the addition that faults of the service during its check also break it. */
export const withFaults = ({ name, broken }: Promised): Promised => ({
  name,
  broken: async subject => [...(await broken(subject)), ...subject.faults()]
})

/** Returns the value at a JSON pointer (RFC 6901). */
export const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (found, token) =>
        Array.isArray(found) ? (found[Number(token)] as unknown) : isObject(found) ? found[token] : undefined,
      value
    )

export const mediaTypeOf = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';')[0] ?? ''

/** Returns the parsed JSON body of a response; `undefined` if it is not JSON. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown
  } catch {
    return undefined
  }
}
