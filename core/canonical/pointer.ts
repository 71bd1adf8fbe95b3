import { isObject } from './json.ts'

/** Returns the value at a JSON pointer (RFC 6901); `undefined` if there is none. */
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
