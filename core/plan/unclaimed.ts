import { isOpen } from '../access/index.ts'
import type { JsonObject } from '../canonical/json.ts'
import type { Service } from '../manifest/service.ts'
import type { Registry } from '../registry/registry.ts'
import type { Generation } from './generation.ts'
import { commonFields, field, fields, stamps } from './head.ts'
import type { Answer, PlanRequest } from './request.ts'
import { compileNearestPaths, compilePathsByWord } from './suggest.ts'

/**
 * Returns a function that makes the `suggestions` of a 404: declared paths near the requested one, and the fixed paths
 * that the service configures. They are not cached: requests for random paths would fill the memory that prepared
 * answers need.
 */
export function compileSuggestions(registry: Registry): (path: string) => JsonObject {
  const pointers = Object.fromEntries(
    Object.entries(registry.service.suggestions).map(([name, id]) => [name, registry.byId.get(id)?.route.path ?? null])
  )
  const declared = registry.surfaces
    .filter(surface => surface.route.methods.includes('GET'))
    .map(surface => surface.route.path)
  const nearestPaths = compileNearestPaths(declared)
  const pathsByWord = compilePathsByWord(declared)
  return path => {
    const near = nearestPaths(path)
    return {
      requested_path: path.slice(0, 200),
      suggestions: { did_you_mean: near.length > 0 ? near : pathsByWord(path), ...pointers }
    }
  }
}

const noHeaders = {}

/**
 * Answers a request that no surface matches: 204 for OPTIONS, 405 with Allow, 308 where the path without its trailing
 * slash matches, 404 with suggestions.
 */
export function answerUnclaimed(
  { failure, suggest, registry, index }: Generation,
  request: PlanRequest,
  allowed: readonly string[] | undefined
): Answer {
  if (request.method === 'OPTIONS') {
    const claims = (allowed ?? []).map(method => index.find(method, request.path))
    const isShared =
      allowed === undefined ||
      claims.some(found => found !== undefined && 'value' in found && isOpen(found.value.surface.access))
    return answerOptions(registry.service, request, (allowed ?? ['GET', 'HEAD', 'OPTIONS']).join(', '), isShared)
  }
  if (allowed !== undefined) {
    const message = `${request.method.slice(0, 20)} is not allowed here.`
    return failure.ofFacts(
      {
        code: 'METHOD_NOT_ALLOWED',
        status: 405,
        message,
        details: { allowed },
        data: null,
        headers: { Allow: allowed.join(', ') }
      },
      request
    )
  }
  const shorter = request.path.endsWith('/') ? request.path.slice(0, -1) : ''
  const meant = shorter === '' ? undefined : index.find(request.method, shorter)
  if (meant !== undefined && 'value' in meant) return answerMoved(registry.service, request, shorter)
  return failure.ofFacts(
    {
      code: 'NOT_FOUND',
      status: 404,
      message: 'Nothing is served at this path.',
      details: undefined,
      data: suggest(request.path),
      headers: noHeaders
    },
    request
  )
}

/** Returns a 308 redirect: the client repeats the method and the body at the other path (RFC 9110 §15.4.9). */
const answerMoved = (service: Service, request: PlanRequest, path: string): Answer => ({
  status: 308,
  head: `${commonFields(service)}${field('Location', request.search === '' ? path : `${path}?${request.search}`)}Content-Length: 0\r\n${stamps(request)}`,
  body: '',
  encoding: 'latin1'
})

/**
 * Answers OPTIONS, also a CORS preflight (Fetch §3.2.2), with one policy for every public surface: scripts may send any
 * method and any header, so that they can read why a request is refused. `*` does not cover Authorization, so that is
 * listed. If the access of every surface at the path is limited, no script of another origin may send anything.
 */
const answerOptions = (service: Service, request: PlanRequest, allow: string, isShared: boolean): Answer => ({
  status: 204,
  // OPTIONS needs no credential, so the rate limit shown is the one of the service.
  head:
    commonFields(service, undefined, isShared, false) +
    fields({
      Allow: allow,
      ...(isShared
        ? {
            'Access-Control-Allow-Methods': '*',
            'Access-Control-Allow-Headers': '*, Authorization',
            'Access-Control-Max-Age': '86400'
          }
        : {})
    }) +
    stamps(request),
  body: '',
  encoding: 'latin1'
})
