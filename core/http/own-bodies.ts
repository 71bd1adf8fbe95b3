import type Koa from 'koa'
import type { JsonValue } from '../canonical/json.ts'
import { SurfaceError } from '../handler/errors.ts'
import { checkFormType } from '../plan/form.ts'
import { parsePairs } from '../plan/query.ts'
import { parseStrictJson } from '../source/strict-json.ts'
import { formType, jsonType } from '../vocabulary/words.ts'
import { lingerAfter } from './linger.ts'
import { bodyOf, checkType } from './read-body.ts'

const invalid = (message: string): SurfaceError => new SurfaceError('INVALID_INPUT', message)

type Fields = Readonly<Record<string, string | readonly string[]>>

/** Parses the fields of a form; a field that was sent several times is a list. */
function fieldsOf(bytes: Uint8Array): Fields {
  const parsed = parsePairs(Buffer.from(bytes).toString('latin1'), 'form')
  if (!parsed.ok) throw invalid(parsed.message)
  return Object.fromEntries(
    [...parsed.values].map(([name, [first = '', ...more]]) => [name, more.length === 0 ? first : [first, ...more]])
  )
}

function valueOf(bytes: Uint8Array): JsonValue {
  const found = parseStrictJson(bytes)
  if (!found.ok) throw invalid(found.message)
  return found.value
}

/** A body that was read: its bytes and the parsed value. */
type OwnBody = Readonly<{ rawBody: Uint8Array; body: JsonValue | Fields }>

/**
 * Reads the body of a request that the surrounding application answers: strict JSON (RFC 8259, valid UTF-8, no
 * duplicate names) or the fields of a form. Returns undefined without reading for other types, and for a body that was
 * read before. Throws as `ctx.throw` does: 400 for invalid content, 413 above `limitBytes`, 415 for another charset or
 * a content coding.
 */
export async function ownBody(ctx: Koa.Context, limitBytes: number): Promise<OwnBody | undefined> {
  const { req, res } = ctx
  const type = [jsonType, formType].find(one => ctx.is(one) === one)
  if (type === undefined || req.readableDidRead || req.headers['content-length'] === '0') return undefined
  try {
    if (type === jsonType) checkType(req)
    else checkFormType(req.headers)
    const sent = await bodyOf(req, res).readForm(limitBytes, () => 0)
    const rawBody = 'pairs' in sent ? sent.pairs : new Uint8Array()
    return { rawBody, body: type === jsonType ? valueOf(rawBody) : fieldsOf(rawBody) }
  } catch (error) {
    if (!(error instanceof SurfaceError)) throw error
    // Close the connection here: code that catches the error may drop its headers.
    res.shouldKeepAlive = false
    lingerAfter(req)
    const { status, message, code, details, headers } = error
    return ctx.throw(status ?? 400, message, { code, details, headers })
  }
}
