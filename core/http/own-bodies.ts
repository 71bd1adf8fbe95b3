import type Koa from 'koa'
import { SurfaceError } from '../handler/errors.ts'
import { parsePairs } from '../plan/query.ts'
import { parseStrictJson } from '../source/strict-json.ts'
import { formType, jsonType } from '../vocabulary/words.ts'
import { lingerAfter } from './linger.ts'
import { readForm } from './read-form.ts'

const invalid = (message: string): SurfaceError => new SurfaceError('INVALID_INPUT', message)

/** The fields of a form; one that came more than once is a list. */
function fieldsOf(bytes: Uint8Array): Readonly<Record<string, string | readonly string[]>> {
  const parsed = parsePairs(Buffer.from(bytes).toString('latin1'), 'form')
  if (!parsed.ok) throw invalid(parsed.message)
  return Object.fromEntries(
    [...parsed.values].map(([name, [first = '', ...more]]) => [name, more.length === 0 ? first : [first, ...more]])
  )
}

/** JSON or a form, from the connection of a Koa context. */
async function read({ req, res, headers }: Koa.Context, type: string, limitBytes: number): Promise<unknown> {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new SurfaceError('UNSUPPORTED_MEDIA_TYPE', 'The body must not have a content coding.')
  const sent = await readForm(req, res, limitBytes, () => 0)
  const bytes = 'pairs' in sent ? sent.pairs : new Uint8Array()
  if (type === formType) return fieldsOf(bytes)
  const found = parseStrictJson(bytes)
  if (!found.ok) throw invalid(found.message)
  return found.value
}

/**
 * The body of a request that the application around Pantry answers itself: strict JSON (RFC 8259, fatal UTF-8, no
 * duplicate names), or the fields of a form. Undefined, and not read, where it is neither. Throws as `ctx.throw` does:
 * 400 for what cannot be read, 413 above `limitBytes`, 415 for a content coding.
 */
export async function ownBody(ctx: Koa.Context, limitBytes: number): Promise<unknown> {
  const type = [jsonType, formType].find(one => ctx.is(one) === one)
  if (type === undefined || ctx.req.readableDidRead) return undefined
  try {
    return await read(ctx, type, limitBytes)
  } catch (error) {
    if (!(error instanceof SurfaceError)) throw error
    lingerAfter(ctx.req)
    const { status, message, code, details, headers } = error
    return ctx.throw(status, message, { code, details, headers: { ...headers, Connection: 'close' } })
  }
}
