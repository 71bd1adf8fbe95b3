import { Type, notFound, nullable, NullableText, reply, SurfaceError } from 'pantry/handler'
import { sentenceOf, Withdrawn, withdrawnBody } from '../../cards/card-history.ts'
import { paths } from '../../cards/documents/parts.ts'
import { defineHandler } from '../../define.ts'

const Reply = Type.Object(
  {
    source: Type.String({ description: 'Id of the source.' }),
    status: Type.Enum(['available', 'resolved', 'withdrawn', 'not_held']),
    native_id: NullableText,
    resolved: Type.Union([
      Type.Null(),
      Type.Object({ sku: Type.String(), universal_url: Type.String() }, { additionalProperties: false })
    ]),
    withdrawn: nullable(Withdrawn, 'When and why the card that the id was for is held no more.'),
    note: Type.String()
  },
  { additionalProperties: false }
)

/** One day: blocked and planned sources change only when their registry entry is edited. */
const retryAfter = { 'Retry-After': '86400' }

/**
 * Resolves the id that a source uses for a card. A source that may not be read always gets an error that says so. For a
 * source that is read, only rows that were assigned to a card resolve.
 */
export default defineHandler({
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
