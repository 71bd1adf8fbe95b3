import { isOpen } from '../access/index.ts'
import { unclaimedFacts, metaFactsOf, type MetaWriter } from '../contract/envelope.ts'
import { siteOf } from '../contract/site.ts'
import { formatModules } from '../format/index.ts'
import { RateLimited, SurfaceError, type FailureFacts } from '../handler/errors.ts'
import { errorCodesOf } from '../manifest/service-defaults.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { errorCodes } from '../vocabulary/error-codes.ts'
import { apiPrefix } from '../vocabulary/words.ts'
import { encodingOf, envelopeText, errorBody } from './body.ts'
import { failurePage, wantsPage } from './failure-page.ts'
import { commonFields, compileCacheControl, field, fields, noStore, stamps, usedUp } from './headers.ts'
import { longestPath } from './query.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { Result } from './result.ts'

export type Failure = Readonly<{
  /**
   * Answers anything that was thrown. A SurfaceError is shown to the caller; any other error is reported with `onFault`
   * and answered as INTERNAL, without its message.
   */
  ofError: (error: unknown, request: PlanRequest, surface?: Surface) => Answer
  /** Answers a failure that was not thrown. */
  ofFacts: (facts: FailureFacts, request: PlanRequest, surface?: Surface) => Answer
}>

/** The same failure, with the status that its code is declared with. */
const withStatus = (error: SurfaceError, status: number): FailureFacts =>
  Object.create(error, { status: { value: status } }) as SurfaceError & { readonly status: number }

export function compileFailure(
  registry: Registry,
  meta: MetaWriter,
  links: (path: string) => string,
  onFault: (error: unknown, requestId: string) => void
): Failure {
  const { service } = registry
  const unclaimed = unclaimedFacts(service)
  const codes = errorCodesOf(service)
  const facts = new Map(registry.surfaces.map(surface => [surface, metaFactsOf(surface, registry)]))

  const textOf = (
    result: Result,
    request: PlanRequest,
    surface: Surface | undefined
  ): { mediaType: string; body: string; enveloped: boolean } => {
    const error = errorBody(result)
    if (surface === undefined ? wantsPage(request) : surface.formats[0] === 'html') {
      return {
        mediaType: formatModules.html.mediaType,
        body: failurePage(siteOf(registry), result, request),
        enveloped: false
      }
    }
    if (surface?.contract === 'envelope' || request.path.startsWith(apiPrefix)) {
      const said = (surface === undefined ? undefined : facts.get(surface)) ?? unclaimed
      const {
        mediaType,
        pieces: [a, b, c]
      } = envelopeText(meta, request.path, result.asOf ?? request.time, said, result)
      return { mediaType, body: `${a}${request.time}${b ?? ''}${request.requestId}${c ?? ''}`, enveloped: true }
    }
    return { mediaType: formatModules.json.mediaType, body: JSON.stringify({ error }), enveloped: false }
  }

  const ofFacts: Failure['ofFacts'] = (found, asked, surface) => {
    const { code, message, details, data, status, headers, asOf } = found
    const rate =
      found instanceof RateLimited ? found.rate : status === 429 ? usedUp(asked, headers['Retry-After']) : undefined
    // A path that is too long is shortened, because it would appear in the body and in the Link header.
    const request = asked.path.length > longestPath ? { ...asked, path: asked.path.slice(0, longestPath) } : asked
    const result: Result = {
      status,
      data,
      error: { code, message, ...(details === undefined ? {} : { details }) },
      ...(asOf === undefined ? {} : { asOf })
    }
    const { mediaType, body, enveloped } = textOf(result, request, surface)
    const { Connection: connection, ...given } = headers
    // For a path that no surface matches, `Accept` decides between HTML and JSON.
    const own = surface === undefined && !request.path.startsWith(apiPrefix) ? { ...given, Vary: 'Accept' } : given
    const length = Buffer.byteLength(body)
    const isShared = surface === undefined || isOpen(surface.access)
    const hasOwnLimit = !isShared || rate !== undefined
    return {
      status,
      head: `${field('Content-Type', mediaType)}${commonFields(service, mediaType, isShared, hasOwnLimit)}${enveloped ? field('Link', links(request.path)) : ''}${fields(own)}${stamps(rate === undefined ? request : { ...request, rate }, isShared ? noStore : compileCacheControl(surface)(status, request.method), hasOwnLimit)}Content-Length: ${length}\r\n`,
      ...(connection === undefined ? {} : { closes: true as const }),
      body,
      encoding: encodingOf(body, length)
    }
  }
  return {
    ofFacts,
    ofError(error, request, surface) {
      if (error instanceof SurfaceError) {
        const declared = codes[error.code]
        if (declared !== undefined) return ofFacts(withStatus(error, declared.status), request, surface)
        onFault(
          new Error(`\`${error.code}\` is not declared under \`errors:\` in service.yaml.`, { cause: error }),
          request.requestId
        )
      } else onFault(error, request.requestId)
      const fault = new SurfaceError(
        'INTERNAL',
        'The service failed to answer. The request id finds the fault in its log.'
      )
      return ofFacts(withStatus(fault, errorCodes.INTERNAL.status), request, surface)
    }
  }
}
