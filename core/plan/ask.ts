import { anonymous } from '../access/access.ts'
import { invalid } from '../handler/errors.ts'
import type { Ask, Asked } from '../handler/handler.ts'
import type { Plan } from './plan.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { RouteMatch } from './route-index.ts'

/** How many surfaces may ask one through the other. More is a loop, and a fault of the code that asks. */
const deepest = 3

const headerOf = ({ headers }: Answer, wanted: string): string => headers[headers.findIndex((name, index) => index % 2 === 0 && name === wanted) + 1] ?? ''

const textOf = ({ body, encoding }: Answer): string =>
  typeof body === 'string' ? (encoding === 'latin1' ? Buffer.from(body, 'latin1').toString() : body) : body.toString()

/**
 * Asks a surface in process, at the moment of the request that asks: nothing of the caller is passed on but the hash of its
 * address, so the answer is what anyone gets. The index is looked up when it is needed: plans are made before it.
 */
export const compileAsk = (find: (method: string, path: string) => RouteMatch<Plan>) => (request: PlanRequest): Ask => async (target): Promise<Asked | undefined> => {
  const depth = (request.depth ?? 0) + 1
  if (depth > deepest) throw new Error(`Surfaces ask each other in a loop: ${target.slice(0, 200)}`)
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const match = find('GET', path)
  if (match !== undefined && 'malformed' in match) throw invalid('path', match.malformed)
  if (match === undefined || !('value' in match)) return undefined
  const { value: plan, params } = match
  const answer = await plan.answer({
    ...request,
    method: 'GET',
    path,
    search: mark === -1 ? '' : target.slice(mark + 1),
    params,
    headers: { accept: 'application/json' },
    caller: anonymous,
    depth,
    readBody: () => Promise.resolve(null)
  })
  return {
    surface: plan.surface,
    status: answer.status,
    mediaType: headerOf(answer, 'Content-Type').split(';')[0] ?? '',
    cacheControl: headerOf(answer, 'Cache-Control'),
    body: textOf(answer)
  }
}
