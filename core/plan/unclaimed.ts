import { isOpen } from '../access/index.ts'
import type { JsonObject } from '../canonical/json.ts'
import type { Service } from '../manifest/service.ts'
import type { Registry } from '../registry/registry.ts'
import type { Generation } from './generation.ts'
import { commonFields, field, fields, stamps } from './headers.ts'
import { compileNearestPaths } from './nearest-paths.ts'
import { compilePathsByWord } from './paths-by-word.ts'
import type { Answer, PlanRequest } from './request.ts'

/**
 * The suggestions block of a registry: near paths and its fixed pointers. None is kept: whoever asks for paths at
 * random would fill what prepared answers need.
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
 * The answers to requests that no surface claims: 204 for OPTIONS, 405 with Allow, 308 for a slash too many at the end,
 * 404 with suggestions.
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

/** The method and the body stay the same at the other path (RFC 9110 §15.4.9). */
const answerMoved = (service: Service, request: PlanRequest, path: string): Answer => ({
  status: 308,
  head: `${commonFields(service)}${field('Location', request.search === '' ? path : `${path}?${request.search}`)}Content-Length: 0\r\n${stamps(request)}`,
  body: '',
  encoding: 'latin1'
})

/**
 * One policy for every public surface, as a plain answer and as a CORS preflight (Fetch §3.2.2): scripts may send any
 * method and any header, so that they can read why one is refused. The wildcard does not stand for Authorization. Where
 * every answer depends on who asks, no script of another origin may send anything.
 */
const answerOptions = (service: Service, request: PlanRequest, allow: string, isShared: boolean): Answer => ({
  status: 204,
  head:
    commonFields(service, undefined, isShared) +
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
