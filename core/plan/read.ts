import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import { urlOf } from '../canonical/url.ts'
import { bodyTooLarge, invalid, SurfaceError } from '../handler/errors.ts'
import { SentFile, type SentFiles } from '../handler/handler.ts'
import type { BodyInput, Input, Surface } from '../manifest/surface.ts'
import { compileSchema, type Issue } from '../schema/compile.ts'
import { propertiesOf, coerceText } from '../schema/json-schema.ts'
import { formType, jsonType, multipartType } from '../vocabulary/words.ts'
import { parsePairs, parseQuery } from './dispatch.ts'
import type { PlanInput } from './kind.ts'
import type { FormPart, MaybePromise, PartHead, PlanRequest } from './request.ts'
import { compileRefusal } from './undeclared.ts'

export const invalidIn = (part: 'path' | 'query' | 'body', message: string, details: JsonObject = {}): SurfaceError =>
  new SurfaceError('INVALID_INPUT', message, { details: { in: part, ...details } })

type Where = 'path' | 'query' | 'body' | 'arguments'

const fieldOf = ({ pointer, rule, key }: Issue, where: Where): string =>
  [...pointer, ...(rule === 'missing' && key !== undefined ? [key] : [])].join('.') || where

/** Throws a SurfaceError for the first issue; `details.issues` lists up to 20. */
export function assertNoIssues(issues: readonly Issue[], where: Where): void {
  const [first] = issues
  if (first === undefined) return
  const list = issues
    .slice(0, 20)
    .map((issue): JsonObject => ({
      field: fieldOf(issue, where),
      message: issue.message,
      ...(issue.allowed === undefined ? {} : { allowed: issue.allowed as readonly JsonValue[] })
    }))
  const code = first.rule === 'missing' && where === 'query' ? 'MISSING_PARAM' : 'INVALID_INPUT'
  throw new SurfaceError(code, first.message, { details: { in: where, ...list[0], issues: list } })
}

/**
 * Returns a function that reads and checks the declared input of a request, and of the rest only what the surface
 * refuses; its result is a promise only if it reads a body.
 */
export function compileInput(surface: Surface, baseUrl: string): (request: PlanRequest) => MaybePromise<PlanInput> {
  const { params: paramSchema, query: querySchema, body, bytes, files } = surface.input
  const declared = Object.entries(propertiesOf(querySchema))
  const typedParams = Object.entries(propertiesOf(paramSchema)).filter(([, property]) => property['type'] !== 'string')
  const checkParams = compileSchema(paramSchema)
  const checkQuery = compileSchema(querySchema)
  const refuse = compileRefusal(surface)
  const readBody = body === undefined ? undefined : compileBodyReader(body, files, baseUrl)

  const readQuery = (search: string): PlanInput['query'] => {
    const query: Record<string, string | number | boolean> = {}
    if (search !== '') {
      const parsed = parseQuery(search)
      if (!parsed.ok) throw invalidIn('query', parsed.message)
      refuse(parsed.values)
      for (const [name, property] of declared) {
        const values = parsed.values.get(name)
        if (values === undefined) continue
        if (values.length > 1) throw invalidIn('query', severalTimes(name, values.length), { field: name })
        query[name] = coerceText(property, values[0] ?? '')
      }
    }
    if (declared.length > 0) assertNoIssues(checkQuery(query), 'query')
    return query
  }

  const readParams = (texts: PlanRequest['params']): PlanInput['params'] => {
    // On most surfaces all parameters in the path are strings, which need no conversion.
    const params =
      typedParams.length === 0
        ? texts
        : {
            ...texts,
            ...Object.fromEntries(
              typedParams.map(([name, property]) => [name, coerceText(property, texts[name] ?? '')])
            )
          }
    if (surface.route.placeholders.length > 0) assertNoIssues(checkParams(params), 'path')
    return params
  }

  return request => {
    const input = { params: readParams(request.params), query: readQuery(request.search), body: undefined }
    if (request.method === 'GET' || request.method === 'HEAD') return input
    if (bytes !== undefined) return request.readBytes(bytes.limitBytes).then(read => ({ ...input, bytes: read }))
    return readBody === undefined ? input : readBody(request).then(sent => ({ ...input, ...sent }))
  }
}

const severalTimes = (name: string, count: number): string => `\`${name}\` is given ${count} times; give it once.`

function compileBodyReader(
  body: BodyInput,
  files: Input['files'],
  baseUrl: string
): (request: PlanRequest) => Promise<Pick<PlanInput, 'body' | 'files' | 'issues'>> {
  const { isForm = false, limitBytes, schema } = body
  const checkBody = compileSchema(schema)
  const readForm = compileForm(body, files)
  const formTypes = [isForm ? formType : jsonType, ...(files === undefined ? [] : [multipartType])]
  return async request => {
    const { headers } = request
    // A request from another surface has no Content-Type: its body is JSON.
    const isSentAsForm = isForm || (files !== undefined && headers['content-type'] !== undefined && !isJson(headers))
    // A page of any site can send a form with the cookies of the service (CSRF).
    if (isSentAsForm) {
      checkOrigin(request.headers, baseUrl)
      checkFormType(headers, formTypes)
    }
    const sent = isSentAsForm ? await readForm(request) : { body: await request.readBody(limitBytes) }
    const issues = checkBody(sent.body)
    if (isForm) return { ...sent, issues }
    assertNoIssues(issues, 'body')
    return sent
  }
}

export const closing = { headers: { Connection: 'close' } }

const pairsForm = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i
/** The type of a multipart form; `boundary` is required and has 1 to 70 characters (RFC 2046 §5.1.1). */
const partsForm =
  /^multipart\/form-data\s*;(?:\s*charset="?utf-8"?\s*;)?\s*boundary=(?:"[^"]{1,70}"|[\w'()+,./:=?-]{1,70})\s*(?:;\s*charset="?utf-8"?\s*)?$/i

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value?.trim()

/** Returns the media type in lower case, without its parameters. */
export const mediaTypeOf = (text: string): string => text.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Returns the host and port of an origin (RFC 6454 §6.2). */
const hostOf = (origin: string): string | undefined => urlOf(origin)?.host

/**
 * Throws 403 for a request sent from a page of another site, as the OWASP Cross-Site Request Forgery Prevention Cheat
 * Sheet recommends: `Sec-Fetch-Site` and `Origin` are both checked if they are present. A page without a referrer sends
 * `Origin: null` even for its own forms: this is accepted only with `Sec-Fetch-Site: same-origin` or `none`. A request
 * with neither header comes from a program. `baseUrl` is compared as well because a gateway may change `Host`.
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

export const unsupported = (message: string, allowed: readonly string[], field?: string): SurfaceError =>
  new SurfaceError('UNSUPPORTED_MEDIA_TYPE', message, {
    ...closing,
    details: { ...(field === undefined ? {} : { field }), allowed }
  })

const hasType = (headers: PlanRequest['headers'], type: string): boolean =>
  mediaTypeOf(textOf(headers['content-type']) ?? '') === type

const isJson = (headers: PlanRequest['headers']): boolean => hasType(headers, jsonType)

export const isMultipart = (headers: PlanRequest['headers']): boolean => hasType(headers, multipartType)

/** Checks the Content-Type and Content-Encoding of a form; throws 415 before any of the body is read. */
export function checkFormType(headers: PlanRequest['headers'], allowed: readonly string[] = [formType]): void {
  const [coding, type] = [textOf(headers['content-encoding']), textOf(headers['content-type']) ?? '']
  const isForm = pairsForm.test(type) || partsForm.test(type)
  if ((coding ?? 'identity').toLowerCase() === 'identity' && isForm && allowed.includes(mediaTypeOf(type))) return
  const named = allowed.map(one => `\`${one}\``).join(' or ')
  throw unsupported(`The body must be ${named}, in UTF-8 and without a content coding.`, allowed)
}

const strictly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8, and keeps a byte order mark; throws 400 for U+0000 or invalid bytes. */
function textIn(bytes: Uint8Array, name: string): string {
  let text = '\0'
  try {
    text = strictly.decode(bytes)
  } catch {
    // Refused below.
  }
  if (text.includes('\0')) throw invalid(name, `\`${name}\` must be valid UTF-8, without U+0000.`)
  return text
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Returns the last segment of a file name without control characters, shortened: `passwd` for `../../etc/passwd`. */
const plainName = (text: string): string => (text.split(/[/\\]/).at(-1) ?? '').replaceAll(/\p{C}/gu, '').slice(0, 255)

/** Bytes that are allowed on average for the header of a part, with its boundary. */
const headBytes = 1_024

type FormInput = Readonly<{ body: JsonObject; files: SentFiles }>

/**
 * Returns a function that reads the declared fields and files of a form, each at most once unless it is a list. It
 * throws 400 for other fields and unreadable values, 413 for too many bytes, and 415 for files of other media types.
 */
export function compileForm(
  { schema, limitBytes }: Omit<BodyInput, 'isForm'>,
  files: NonNullable<Input['files']> = {}
): (request: Pick<PlanRequest, 'headers' | 'readForm'>) => Promise<FormInput> {
  const fields = new Map(Object.entries(propertiesOf(schema)))
  const fileInputs = new Map(Object.entries(files))
  const names = [...fields.keys(), ...fileInputs.keys()]
  const maxMultipartBytes =
    [...fileInputs.values()].reduce((sum, file) => sum + file.limitBytes, limitBytes) + headBytes * (names.length + 1)

  const noField = (name: string): SurfaceError =>
    invalid(name.slice(0, 80), `The form has no field \`${name.slice(0, 80)}\`.`, names)

  const isList = (name: string): boolean => fields.get(name)?.['type'] === 'array'

  const valueOf = (name: string, values: readonly string[]): JsonValue => {
    const property = fields.get(name)
    if (property === undefined) throw noField(name)
    if (isList(name)) return values.map(value => coerceText((property['items'] ?? {}) as JsonSchema, value))
    if (values.length > 1) throw invalid(name, severalTimes(name, values.length))
    return coerceText(property, values[0] ?? '')
  }

  // Forms end lines with CR LF (HTML Standard §4.10.22.7), and `maxlength` counts one character for each.
  const bodyOf = (texts: ReadonlyMap<string, readonly string[]>): JsonObject =>
    Object.fromEntries(
      Array.from(texts, ([name, values]) => [
        name,
        valueOf(
          name,
          values.map(value => value.replaceAll(/\r\n?/g, '\n'))
        )
      ])
    )

  const readPairs = (bytes: Uint8Array): FormInput => {
    const parsed = parsePairs(Buffer.from(bytes).toString('latin1'), 'form')
    if (!parsed.ok) throw invalidIn('body', parsed.message)
    return { body: bodyOf(parsed.values), files: {} }
  }

  /**
   * Returns a function that refuses an undeclared part before its content is read, and returns the maximum bytes of a
   * declared one.
   */
  const opening = (): ((head: PartHead) => number) => {
    const seen = new Set<string>()
    return ({ name: sent, fileName, type }) => {
      const name = textIn(bytesOf(sent), 'the name of a field')
      const file = fileInputs.get(name)
      if (file === undefined && !fields.has(name)) throw noField(name)
      if (seen.has(name) && !isList(name)) throw invalid(name, severalTimes(name, 2))
      seen.add(name)
      if (file === undefined) {
        if (fileName !== undefined) throw invalid(name, `\`${name}\` is a text, and a file was sent.`)
        return limitBytes
      }
      if (fileName === undefined) throw invalid(name, `\`${name}\` is a file, and a text was sent.`)
      textIn(bytesOf(fileName), name)
      // Browsers send an empty file name if the user chose no file (HTML Standard §4.10.22.4).
      if (fileName === '') return 0
      if (file.types.includes(mediaTypeOf(type))) return file.limitBytes
      throw unsupported(`The file in \`${name}\` must be ${file.types.join(' or ')}.`, file.types, name)
    }
  }

  const readParts = (parts: readonly FormPart[]): FormInput => {
    const texts = new Map<string, string[]>()
    const sent: [string, SentFile][] = []
    let length = 0
    for (const { name: sentName, fileName, type, bytes } of parts) {
      const name = bytesOf(sentName).toString()
      if (fileName === undefined) {
        length += bytes.length
        if (length > limitBytes) throw bodyTooLarge(limitBytes)
        texts.set(name, [...(texts.get(name) ?? []), textIn(bytes, name)])
      } else if (fileName !== '') {
        const file = { name: plainName(bytesOf(fileName).toString()), type: mediaTypeOf(type), bytes }
        sent.push([name, new SentFile(name, file)])
      }
    }
    return { body: bodyOf(texts), files: Object.fromEntries(sent) }
  }

  return async ({ headers, readForm }) => {
    const form = await readForm(isMultipart(headers) ? maxMultipartBytes : limitBytes, opening())
    return 'pairs' in form ? readPairs(form.pairs) : readParts(form.parts)
  }
}
