import { headerText, type Headers } from '../hospitality/read-user-agent.ts'

/**
 * Headers whose values are shown; of others only the names are. With an allowlist, new kinds of credentials are hidden
 * too.
 */
const shown = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'dnt',
  'expect',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'max-forwards',
  'pragma',
  'prefer',
  'priority',
  'range',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'sec-gpc',
  'te',
  'transfer-encoding',
  'upgrade-insecure-requests',
  'user-agent'
])
const namesLimit = 50
/** Matches words for credentials, and the beginning of a JSON Web Token (RFC 7519 §3.1: the base64url of `{"`). */
export const secretName = /auth|bearer|cookie|credential|jwt|key|pass|pwd|secret|session|sig|token|eyJ/i
export const withheldValue = '[withheld]'

/** Lists the received headers: allowed ones with values, others by name only. */
export function describeHeaders(headers: Headers) {
  const names = Object.keys(headers)
    .filter(name => headers[name] !== undefined)
    .sort()
  const hidden = names.filter(name => !shown.has(name))
  return {
    received: Object.fromEntries(names.filter(name => shown.has(name)).map(name => [name, headerText(headers[name])])),
    withheld: {
      count: hidden.length,
      names: hidden.slice(0, namesLimit),
      reason:
        'Only headers of a fixed list are shown with their values. Credentials, cookies and what a proxy says about your address stay unsaid.'
    }
  }
}

/**
 * Lists the query parameters: a single value as a text, several as a list; values that suggest a credential are
 * withheld.
 */
export const describeQuery = (
  query: ReadonlyMap<string, readonly string[]>
): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    [...query].map(([name, values]) => {
      const safe = values.map(value => (secretName.test(name) || secretName.test(value) ? withheldValue : value))
      return [name, safe.length === 1 ? (safe[0] ?? '') : safe]
    })
  )
