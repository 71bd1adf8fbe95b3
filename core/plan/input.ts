import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { SurfaceError } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import { compileSchema, type Issue } from '../schema/compile.ts'
import { propertiesOf, typedText } from '../schema/json-schema.ts'
import { formType, jsonType, partsType } from '../vocabulary/words.ts'
import { checkFormType, checkOrigin, compileForm, isJson } from './form.ts'
import { parseQuery } from './query.ts'
import type { PlanRequest } from './request.ts'
import type { PlanInput } from './result.ts'

const fieldOf = ({ pointer, rule, key }: Issue, where: string): string =>
  [...pointer, ...(rule === 'missing' && key !== undefined ? [key] : [])].join('.') || where

type Where = 'path' | 'query' | 'body' | 'arguments'

/**
 * Returns an error for the first issue, with its field and the allowed values; `details.issues` lists up to 20 issues.
 */
function refuse(issues: readonly [Issue, ...Issue[]], where: Where): SurfaceError {
  const [first] = issues
  const list = issues
    .slice(0, 20)
    .map((issue): JsonObject => ({
      field: fieldOf(issue, where),
      message: issue.message,
      ...(issue.allowed === undefined ? {} : { allowed: issue.allowed as readonly JsonValue[] })
    }))
  const code = first.rule === 'missing' && where === 'query' ? 'MISSING_PARAM' : 'INVALID_INPUT'
  return new SurfaceError(code, first.message, { details: { in: where, ...list[0], issues: list } })
}

/** Throws a SurfaceError if there are issues. */
export const check = (issues: readonly Issue[], where: Where): void => {
  const [first, ...rest] = issues
  if (first !== undefined) throw refuse([first, ...rest], where)
}

/**
 * Returns a function that reads and checks the declared input of a request and nothing else. `baseUrl` is the public
 * URL of the service. For a surface without a body, the function never returns a promise.
 */
export function compileInput(
  surface: Surface,
  baseUrl: string
): (request: PlanRequest) => PlanInput | Promise<PlanInput> {
  const { params: paramSchema, query: querySchema, body, bytes, files } = surface.input
  const declared = Object.entries(propertiesOf(querySchema))
  const typedParams = Object.entries(propertiesOf(paramSchema)).filter(([, property]) => property['type'] !== 'string')
  const checkParams = compileSchema(paramSchema)
  const checkQuery = compileSchema(querySchema)
  const checkBody = body === undefined ? undefined : compileSchema(body.schema)
  const readForm = body === undefined ? undefined : compileForm(body, files)
  const isForm = body?.isForm === true

  const readQuery = (search: string): PlanInput['query'] => {
    const query: Record<string, string | number | boolean> = {}
    if (search !== '') {
      const parsed = parseQuery(search)
      if (!parsed.ok) throw new SurfaceError('INVALID_INPUT', parsed.message, { details: { in: 'query' } })
      for (const [name, property] of declared) {
        const values = parsed.values.get(name)
        if (values === undefined) continue
        if (values.length > 1)
          throw new SurfaceError('INVALID_INPUT', `\`${name}\` is given ${values.length} times; give it once.`, {
            details: { in: 'query', field: name }
          })
        query[name] = typedText(property, values[0] ?? '')
      }
    }
    if (declared.length > 0) check(checkQuery(query), 'query')
    return query
  }

  const readParams = (texts: PlanRequest['params']): PlanInput['params'] => {
    // Most surfaces have only string parameters in the path.
    const params =
      typedParams.length === 0
        ? texts
        : {
            ...texts,
            ...Object.fromEntries(typedParams.map(([name, property]) => [name, typedText(property, texts[name] ?? '')]))
          }
    if (surface.route.placeholders.length > 0) check(checkParams(params), 'path')
    return params
  }

  return request => {
    const input = { params: readParams(request.params), query: readQuery(request.search), body: undefined }
    if (request.method === 'GET' || request.method === 'HEAD') return input
    if (bytes !== undefined) return request.readBytes(bytes.limitBytes).then(read => ({ ...input, bytes: read }))
    if (body === undefined || checkBody === undefined || readForm === undefined) return input
    // A request from another surface has no Content-Type: its body is JSON.
    const saysType = request.headers['content-type'] !== undefined
    const isSentAsForm = isForm || (files !== undefined && saysType && !isJson(request.headers))
    // A page of any site can send a form (CSRF); only forms of our own pages are accepted.
    if (isSentAsForm) {
      checkOrigin(request.headers, baseUrl)
      checkFormType(request.headers, [
        ...(isForm ? [formType] : [jsonType]),
        ...(files === undefined ? [] : [partsType])
      ])
    }
    const read = isSentAsForm ? readForm(request) : request.readBody(body.limitBytes).then(value => ({ body: value }))
    return read.then(sent => {
      check(checkBody(sent.body), 'body')
      return { ...input, ...sent }
    })
  }
}
