import { randomBytes } from 'node:crypto'
import type { Request } from 'autocannon'
import type { KeyList, Scenario } from './scenarios.ts'

/** For each list the texts that may take its place in a path. */
export type Keys = Readonly<Record<KeyList, readonly string[]>>

const any = (list: readonly string[]): string => list[Math.floor(Math.random() * list.length)] ?? ''

const fill = (path: string, keys: Keys): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'random' ? randomBytes(9).toString('base64url') : any(keys[name as KeyList])
  )

/** One request of a scenario, with keys at random. */
export function requestOf(
  { method = 'GET', path, headers = {}, body }: Scenario,
  keys: Keys,
  condition: Readonly<Record<string, string>> = {}
): Request & { readonly path: string } {
  const common = { method, path: fill(path, keys), headers: { ...headers, ...condition } }
  return body === undefined
    ? common
    : {
        ...common,
        headers: { ...common.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ skus: Array.from({ length: 100 }, () => any(keys[body])) })
      }
}

/** How many different requests one connection sends before it begins again: one, where all are the same. */
export const varietyOf = ({ path, body }: Scenario): number =>
  body !== undefined ? 20 : path.includes('{random}') ? 400 : path.includes('{') ? 200 : 1
