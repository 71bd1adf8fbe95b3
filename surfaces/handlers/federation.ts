import {
  closed,
  type JsonObject,
  mirrorDocument,
  notFound,
  nullable,
  NullableText,
  reply,
  SurfaceError,
  Type
} from 'pantry/handler'
import { sentenceOf, Withdrawn, withdrawnBody } from '../cards/card-history.ts'
import { IdentifyAtSchema, identifyBody, IdentifySchema, pathOf, requestedHash } from '../cards/documents/identify.ts'
import { datedMembers, linksOf, ownSources, paths, requestedDate, seedOf } from '../cards/documents/parts.ts'
import { DateText, HashText } from '../cards/parameters.ts'
import { defineHandler } from '../define.ts'

/** An unknown hash is a regular result, not an error. */
export const identify = defineHandler({
  params: Type.Object({ hash: HashText }),
  reply: IdentifySchema,
  async handle({ params, pathTo }, { catalogue, cardHistory, encoding }) {
    const hash = requestedHash(params.hash)
    const resolved = await catalogue.byHash(hash)
    const body = identifyBody(
      hash,
      resolved,
      resolved === undefined ? await cardHistory.byFormerHash(hash) : undefined,
      pathTo
    )
    return {
      mirror: mirrorDocument({
        encoding,
        kind: 'federation_identify_response',
        seed: seedOf('federation_identify_response', body),
        body,
        ...ownSources
      })
    }
  }
})

/** The date affects neither the hash nor the result. */
export const at = defineHandler({
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

const Reply = closed({
  source: Type.String({ description: 'Id of the source.' }),
  status: Type.Enum(['available', 'resolved', 'withdrawn', 'not_held']),
  native_id: NullableText,
  resolved: Type.Union([Type.Null(), closed({ sku: Type.String(), universal_url: Type.String() })]),
  withdrawn: nullable(Withdrawn, 'When and why the card that the id was for is held no more.'),
  note: Type.String()
})

/** One day: blocked and planned sources change only when their registry entry is edited. */
const retryAfter = { 'Retry-After': '86400' }

/**
 * A source that may not be read always gets an error that says so. For a source that is read, only rows that were
 * assigned to a card resolve.
 */
export const byUpstream = defineHandler({
  query: Type.Object({
    source: Type.String({ minLength: 1, maxLength: 100, description: 'Id of a source, in any letter case.' }),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 400, description: 'What the source calls the card.' }))
  }),
  reply: Reply,
  async handle({ query }, { catalogue, cardHistory, sources }) {
    const source = sources.get(query.source.toLowerCase())
    if (source === undefined) throw notFound('source', query.source, { field: 'source', allowed: [...sources.keys()] })
    const { id, access, access_reason: reason } = source
    if (access !== 'wired') {
      const facts = { source: id, status: access }
      throw new SurfaceError('SOURCE_UNAVAILABLE', reason, {
        data: { ...facts, resolved: null },
        details: facts,
        headers: retryAfter
      })
    }
    if (query.id === undefined)
      return reply({
        source: id,
        status: 'available',
        native_id: null,
        resolved: null,
        withdrawn: null,
        note: 'Add `id`, as the source writes it, to resolve one card.'
      })
    const row = await catalogue.byNativeId(id, query.id)
    if (row?.held !== true) {
      const withdrawal = await cardHistory.withdrawalOfNative(id, query.id)
      if (withdrawal !== undefined)
        return reply({
          source: id,
          status: 'withdrawn',
          native_id: query.id,
          resolved: null,
          withdrawn: withdrawnBody(withdrawal),
          note: sentenceOf(withdrawal)
        })
      return reply({
        source: id,
        status: 'not_held',
        native_id: query.id,
        resolved: null,
        withdrawn: null,
        note: 'No row of this source with that id became a card here. That says nothing about the source itself.'
      })
    }
    return reply({
      source: id,
      status: 'resolved',
      native_id: query.id,
      resolved: { sku: row.sku, universal_url: paths.card(row.sku) },
      withdrawn: null,
      note: "The id is the source's own; it is not part of any content hash."
    })
  }
})
