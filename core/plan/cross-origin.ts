import { sessionCookie } from '../access/access.ts'
import { accessTable, isOpen } from '../access/index.ts'
import { urlOf } from '../canonical/url.ts'
import { memoize } from '../canonical/work.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import { exposedHeaders } from '../vocabulary/response-headers.ts'
import { writeFields } from './head.ts'
import type { Answer, PlanRequest } from './request.ts'

/** Returns the origins whose scripts may send keys, as browsers write them: without the port of their scheme. */
export const keyOrigins = memoize(
  ({ cors }: Service): ReadonlySet<string> => new Set(cors.origins.flatMap(text => urlOf(text)?.origin ?? []))
)

/** The access kinds of a service that identify a caller by a key in `Authorization`. */
const keyKinds = memoize(
  ({ access }: Service): ReadonlySet<string> =>
    new Set(
      Object.entries(accessTable(access)).flatMap(([name, { credential }]) =>
        credential?.scheme.type === 'http' && credential.scheme.scheme === 'bearer' ? [name] : []
      )
    )
)

/**
 * Tells whether scripts of the listed origins may call a surface: it identifies its callers, also by a key in
 * `Authorization`. No script sends a session.
 */
export const takesKeysOf = ({ access }: Pick<Surface, 'access'>, service: Service): boolean =>
  service.cors.origins.length > 0 && !isOpen(access) && access.some(name => keyKinds(service).has(name))

/**
 * Returns the fields with which a listed origin may read an answer (Fetch §3.2.3). There is no
 * `Access-Control-Allow-Credentials`, so a browser gives no script the answer to a request with cookies; a request with
 * the session of a person is not answered with these fields at all.
 */
export function originFields({ headers }: Pick<PlanRequest, 'headers'>, service: Service): string {
  const { origin, cookie } = headers
  if (typeof origin !== 'string' || !keyOrigins(service).has(origin)) return ''
  if (String(cookie ?? '').includes(`${sessionCookie(service.base_url)}=`)) return ''
  return writeFields({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders })
}

const vary = /^Vary: /m

/** Adds the fields for listed origins to the answer of a surface. What is kept of an answer does not have them. */
export function withOriginFields(
  answer: Answer,
  request: Pick<PlanRequest, 'headers'>,
  surface: Surface,
  service: Service
): Answer {
  if (!takesKeysOf(surface, service)) return answer
  const { head } = answer
  const varied = vary.test(head) ? head.replace(vary, 'Vary: Origin, ') : `${head}Vary: Origin\r\n`
  return { ...answer, head: varied + originFields(request, service) }
}
