import { headerText, type Headers } from '../hospitality/read-user-agent.ts'

/** Headers whose values are shown. All others are named only: an allowlist cannot forget a new kind of credential. */
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
/** Words of credentials, and how a JSON Web Token begins (RFC 7519 §3.1: the base64url of `{"`). */
export const secretName = /auth|bearer|cookie|credential|jwt|key|pass|pwd|secret|session|sig|token|eyJ/i
export const withheldValue = '[withheld]'

/** Which headers came: a few with their values, of the others the names. */
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

/** Query values as received; a name that was given once has a text, one given several times a list. */
export const describeQuery = (
  query: ReadonlyMap<string, readonly string[]>
): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    [...query].map(([name, values]) => {
      const safe = values.map(value => (secretName.test(name) || secretName.test(value) ? withheldValue : value))
      return [name, safe.length === 1 ? (safe[0] ?? '') : safe]
    })
  )
