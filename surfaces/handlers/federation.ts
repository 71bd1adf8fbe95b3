import {
  closed,
  notFound,
  nullable,
  NullableText,
  reply,
  SurfaceError,
  Text,
  Type,
  type JsonObject
} from 'pantry/handler'
import { sentenceOf, Withdrawn, withdrawnBody } from '../cards/card-history.ts'
import {
  IdentifyAtSchema,
  identifyBody,
  identifyReply,
  IdentifySchema,
  pathOf,
  requestedHash
} from '../cards/documents/identify.ts'
import { datedMembers, fromSources, linksOf, paths, requestedDate } from '../cards/documents/parts.ts'
import { DateText, HashText } from '../cards/parameters.ts'
import { defineHandler } from '../define.ts'

/** Finds what a content hash names. An unknown hash is a regular result, not an error. */
export const identify = defineHandler({
  params: Type.Object({ hash: HashText }),
  reply: IdentifySchema,
  async handle({ params, pathTo }, { catalogue, cardHistory, encoding }) {
    const hash = requestedHash(params.hash)
    const resolved = await catalogue.byHash(hash)
    const former = resolved === undefined ? await cardHistory.byFormerHash(hash) : undefined
    const body = identifyBody(hash, resolved, former, pathTo)
    return identifyReply('federation_identify_response', body, resolved, encoding)
  }
})

/** Finds what a content hash names, under a date, which affects neither the hash nor what is found. */
export const at = defineHandler({
  params: Type.Object({ date: DateText, hash: HashText }),
  reply: IdentifyAtSchema,
  async handle({ params, pathTo }, { catalogue, cardHistory, encoding }) {
    const date = requestedDate(params.date)
    const hash = requestedHash(params.hash)
    const resolved = await catalogue.byHash(hash)
    const former = resolved === undefined ? await cardHistory.byFormerHash(hash) : undefined
    const now = identifyBody(hash, resolved, former, pathTo)
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
    return identifyReply('federation_at_response', body, resolved, encoding)
  }
})

const ResolvedId = closed({
  source: Type.String({ description: 'Id of the source.' }),
  status: Type.Enum(['available', 'resolved', 'withdrawn', 'not_held']),
  native_id: NullableText,
  resolved: Type.Union([Type.Null(), closed({ sku: Text, universal_url: Text })]),
  withdrawn: nullable(Withdrawn, 'When and why the card that the id was for is held no more.'),
  note: Text
})

/** One day, because blocked and planned sources change only when their registry entry is edited. */
const retryAfter = { 'Retry-After': '86400' }

/**
 * Finds the card of an id of a source. For a source that is not read (blocked or planned), always answers 503 with the
 * reason; for others, only rows that were assigned to a card resolve.
 */
export const byUpstream = defineHandler({
  query: Type.Object({
    source: Type.String({ minLength: 1, maxLength: 100, description: 'Id of a source, in any letter case.' }),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 400, description: 'What the source calls the card.' }))
  }),
  reply: ResolvedId,
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
    const none = {
      source: id,
      status: 'not_held' as const,
      native_id: query.id ?? null,
      resolved: null,
      withdrawn: null
    }
    if (query.id === undefined)
      return reply(
        { ...none, status: 'available', note: 'Add `id`, as the source writes it, to resolve one card.' },
        fromSources(['self'])
      )
    const row = await catalogue.byNativeId(id, query.id)
    if (row?.held !== true) {
      const withdrawal = await cardHistory.withdrawalOfNative(id, query.id)
      if (withdrawal !== undefined)
        return reply(
          { ...none, status: 'withdrawn', withdrawn: withdrawnBody(withdrawal), note: sentenceOf(withdrawal) },
          fromSources([id])
        )
      return reply(
        {
          ...none,
          note: 'No row of this source with that id became a card here. That says nothing about the source itself.'
        },
        fromSources(['self'])
      )
    }
    return reply(
      {
        ...none,
        status: 'resolved',
        resolved: { sku: row.sku, universal_url: paths.card(row.sku) },
        note: "The id is the source's own; it is not part of any content hash."
      },
      fromSources([id])
    )
  }
})
