import { isObject } from '../../core/canonical/json.ts'
import type { Registry } from '../../core/registry/registry.ts'

/** A running service, as a promise sees it. */
export type Subject = Readonly<{
  registry: Registry
  /** One request to it; redirects are not followed. */
  ask: (path: string, init?: RequestInit) => Promise<Response>
  /**
   * What went wrong in the service since this was last called: a sentence for each case, with its request and place.
   */
  faults: () => readonly string[]
}>

/** What a service promises its callers, and what breaks it: a sentence for each case. */
export type Promised = Readonly<{ name: string; broken: (subject: Subject) => Promise<readonly string[]> }>

/** The promise, which is also broken when the service fails while it is checked. */
export const withFaults = ({ name, broken }: Promised): Promised => ({
  name,
  broken: async subject => [...(await broken(subject)), ...subject.faults()]
})

/** Value at a JSON pointer (RFC 6901). */
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

/** The JSON of an answer; `undefined` when it is none. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown
  } catch {
    return undefined
  }
}
