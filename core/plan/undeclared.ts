import { suggest } from '../diagnostics/suggest.ts'
import { SurfaceError } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import { propertiesOf } from '../schema/json-schema.ts'
import { parseQuery } from './dispatch.ts'

type Sent = ReadonlyMap<string, readonly string[]>

const declaredNames = ({ input }: Surface): readonly string[] => Object.keys(propertiesOf(input.query))

/**
 * Returns the format that `?format=` may name on a surface that does not declare `format`, because it has only one.
 * Undefined for a surface that declares `format`, and for one that has other methods than GET.
 */
const onlyFormat = (surface: Surface): string | undefined =>
  declaredNames(surface).includes('format') || surface.route.methods.some(method => method !== 'GET')
    ? undefined
    : surface.formats[0]

const knownNames = (surface: Surface): ReadonlySet<string> =>
  new Set([...declaredNames(surface), ...(onlyFormat(surface) === undefined ? [] : ['format'])])

const refusal = (field: string, message: string, allowed: readonly string[], more = {}): SurfaceError =>
  new SurfaceError('INVALID_INPUT', message, { details: { in: 'query', field, allowed, ...more } })

/** Returns the refusal of a name that is not declared, with the declared one that is most like it. */
function unknownName(name: string, declared: readonly string[]): SurfaceError {
  const shown = name.slice(0, 80)
  const near = suggest(name, declared)
  return near === undefined
    ? refusal(shown, `There is no query parameter \`${shown}\` here.`, declared)
    : refusal(shown, `There is no query parameter \`${shown}\` here. Near: \`${near}\`.`, declared, { near: [near] })
}

/**
 * Returns a function that throws a 400 error for undeclared parameters: for every one if the manifest says `strict`,
 * and always for a `format` other than the only one of the surface.
 */
export function compileRefusal(surface: Surface): (sent: Sent) => void {
  const declared = declaredNames(surface)
  const known = knownNames(surface)
  const only = onlyFormat(surface)
  return sent => {
    if (only !== undefined && sent.get('format')?.some(format => format !== only) === true)
      throw refusal('format', `There is only one representation here, \`${only}\`.`, [only])
    if (surface.strict !== true) return
    for (const name of sent.keys()) if (!known.has(name)) throw unknownName(name, declared)
  }
}

const maxNames = 8
/** A name that is sent back; other characters could be anything, such as a text that was pasted into the address. */
const shownName = /^[A-Za-z0-9_.-]{1,40}$/

/**
 * Returns a function that writes the header field with the names of the undeclared parameters of a query, which the
 * surface does not read; an empty text if it has none or is malformed. Names that are not shown are counted. Undefined
 * for a surface that refuses such parameters, or whose code reads all parameters.
 */
export function compileIgnored(surface: Surface): ((search: string) => string) | undefined {
  if (surface.strict === true || surface.readsRawQuery === true) return undefined
  const known = knownNames(surface)
  return search => {
    const parsed = parseQuery(search)
    const ignored = parsed.ok ? [...parsed.values.keys()].filter(name => !known.has(name)) : []
    if (ignored.length === 0) return ''
    const shown = ignored.filter(name => shownName.test(name)).slice(0, maxNames)
    const others = ignored.length - shown.length
    return `X-Ignored-Parameters: ${[...shown, ...(others === 0 ? [] : [`${others} more`])].join(', ')}\r\n`
  }
}
