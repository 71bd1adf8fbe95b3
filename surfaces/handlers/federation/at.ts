import { Type, mirrorDocument, type JsonObject } from 'pantry/handler'
import { datedMembers, linksOf, ownSources, paths, requestedDate, seedOf } from '../../cards/documents/parts.ts'
import { DateText, HashText } from '../../cards/parameters.ts'
import { defineHandler } from '../../define.ts'
import { IdentifyAtSchema, identifyBody, pathOf, requestedHash } from '../../cards/documents/identify.ts'

/** Resolves a structural hash under a date. The date affects neither the hash nor the result. */
export default defineHandler({
  params: Type.Object({ date: DateText, hash: HashText }),
  reply: IdentifyAtSchema,
  async handle({ params, pathTo }, { catalogue, cardHistory, encoding }) {
    const date = requestedDate(params.date)
    const hash = requestedHash(params.hash)
    const resolved = await catalogue.byHash(hash)
    const now = identifyBody(
      hash,
      resolved,
      resolved === undefined ? await cardHistory.byFormerHash(hash) : undefined,
      pathTo
    )
    const current = now['universal_url'] ?? null
    const body: JsonObject = {
      ...now,
      ...datedMembers(date),
      _links: linksOf({
        kind: 'federation_at_response',
        connections: [resolved === undefined ? paths.games : pathOf(resolved)],
        canonical: paths.identifyAt(date, hash),
        pattern: pathTo.pattern('federation/at'),
        temporal: paths.identify(hash)
      }),
      current_url: current,
      hash_contract: { ...(now['hash_contract'] as JsonObject), requested_date_affects_hash: false },
      query: { date, hash },
      // Only cards have documents under a date.
      universal_url: resolved?.kind === 'card' ? paths.cardAt(date, resolved.token) : current
    }
    return {
      mirror: mirrorDocument({
        encoding,
        kind: 'federation_at_response',
        seed: seedOf('federation_at_response', body),
        body,
        ...ownSources
      })
    }
  }
})
