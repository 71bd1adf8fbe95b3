import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import { urlOf } from '../canonical/url.ts'
import { invalid, SurfaceError } from '../handler/errors.ts'
import { propertiesOf } from '../manifest/entry-fields.ts'
import { typedText } from '../schema/typed-text.ts'
import { formType } from '../vocabulary/words.ts'
import { parsePairs } from './query.ts'
import type { PlanRequest } from './request.ts'

const closing = { headers: { Connection: 'close' } }

const mediaType = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value?.trim()

/** The host and port of an origin (RFC 6454 §6.2); `undefined` for `null` and for what is none. */
const hostOf = (origin: string): string | undefined => urlOf(origin)?.host

/**
 * 403 for a form that another site sent, as the OWASP Cross-Site Request Forgery Prevention Cheat Sheet has it:
 * `Sec-Fetch-Site` says where it comes from, or else `Origin`. A page that sends no referrer has `Origin: null` for its
 * own forms as well, so that alone it is refused, and with `Sec-Fetch-Site: same-origin` it is not. A request with
 * neither comes from a program. `baseUrl` is where the service says it answers: a gateway may change `Host`.
 */
export function checkOrigin(headers: PlanRequest['headers'], baseUrl: string): void {
  const [site, origin, host] = [textOf(headers['sec-fetch-site']), textOf(headers['origin']), textOf(headers['host'])]
  const isOwnSite = site === undefined ? origin !== 'null' : site === 'same-origin' || site === 'none'
  const from = origin === undefined || origin === 'null' ? undefined : (hostOf(origin) ?? '')
  if (isOwnSite && (from === undefined || from === host?.toLowerCase() || from === hostOf(baseUrl))) return
  throw new SurfaceError(
    'FORBIDDEN',
    'This form was sent from a page of another site. Please open it here and send it again.',
    {
      ...closing,
      details: { ...(site === undefined ? {} : { sec_fetch_site: site }), ...(origin === undefined ? {} : { origin }) }
    }
  )
}

/** What the header section must say of a form: 415, before a byte of it is asked for. */
export function checkFormType(headers: PlanRequest['headers']): void {
  const coding = textOf(headers['content-encoding'])?.toLowerCase() ?? 'identity'
  if (coding === 'identity' && mediaType.test(textOf(headers['content-type']) ?? '')) return
  throw new SurfaceError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body must be \`${formType}\`, in UTF-8 and without a content coding.`,
    { ...closing, details: { allowed: [formType] } }
  )
}

/** Reads the fields that a schema declares, each at most once: 400 for another one, and for what cannot be read. */
export function compileForm(schema: JsonSchema): (bytes: Uint8Array) => JsonObject {
  const declared = new Map(Object.entries(propertiesOf(schema)))
  return bytes => {
    const parsed = parsePairs(Buffer.from(bytes).toString('latin1'), 'form')
    if (!parsed.ok) throw new SurfaceError('INVALID_INPUT', parsed.message, { details: { in: 'body' } })
    return Object.fromEntries(
      [...parsed.values].map(([name, values]): [string, JsonValue] => {
        const property = declared.get(name)
        if (property === undefined)
          throw invalid(name.slice(0, 80), `The form has no field \`${name.slice(0, 80)}\`.`, [...declared.keys()])
        if (values.length > 1) throw invalid(name, `\`${name}\` is given ${values.length} times; give it once.`)
        return [name, typedText(property, values[0] ?? '')]
      })
    )
  }
}
