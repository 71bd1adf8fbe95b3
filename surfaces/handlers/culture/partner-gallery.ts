import { Moment, nullable, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { FailureFacts, failureFacts, Feed, feedContract, pace } from '../../playful/partner-gallery.ts'

/** Returns the feed of the partner. Works that the partner excludes from directories are left out and counted. */
export default defineHandler({
  reply: Type.Object({
    '@kind': Type.Literal('partner-gallery'),
    contract: Type.Literal(feedContract),
    partner: nullable(Type.Object({ id: Text, name: Text, canonical_url: Text })),
    status: Type.Enum(['available', 'unavailable', 'no-partner'], {
      description: '`no-partner`: no gallery is a partner of this instance, so nothing was read and nothing failed.'
    }),
    ...FailureFacts,
    feed: nullable(Feed),
    feed_hash: nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    pieces_shown: Type.Integer(),
    pieces_withheld: Type.Integer(),
    validated_at: nullable(Moment),
    last_attempt: nullable(Type.Object({ at: Moment, outcome: Type.Enum(['validated', 'failed']), ...FailureFacts })),
    revalidation: Type.Object({
      every_seconds: Type.Integer(),
      retry_seconds: Type.Integer(),
      kept_seconds: Type.Integer(),
      note: Text
    }),
    becoming_a_partner: Type.Object({ what: Text, contract_schema: Text, contact_at: Text }),
    rights_boundary: Type.Object({ license: Type.Literal('NOASSERTION'), note: Text })
  }),
  async handle({ pathTo }, { gallery }) {
    const { attempt, shown, failure } = await gallery.view()
    const { partner } = gallery
    const pieces = shown?.feed.pieces ?? []
    const displayed = pieces.filter(({ rights }) => rights.permissions.directory_display)
    return reply(
      {
        '@kind': 'partner-gallery',
        contract: feedContract,
        partner:
          partner === undefined ? null : { id: partner.id, name: partner.name, canonical_url: partner.canonical_url },
        status: partner === undefined ? 'no-partner' : shown === undefined ? 'unavailable' : 'available',
        ...failureFacts(shown === undefined ? failure : undefined),
        feed: shown === undefined ? null : { ...shown.feed, pieces: displayed },
        feed_hash: shown?.hash ?? null,
        pieces_shown: displayed.length,
        pieces_withheld: pieces.length - displayed.length,
        validated_at: shown?.validatedAt ?? null,
        last_attempt:
          attempt === undefined
            ? null
            : {
                at: attempt.at,
                outcome: attempt.failure === undefined ? 'validated' : 'failed',
                ...failureFacts(attempt.failure)
              },
        revalidation: {
          every_seconds: pace.revalidate / 1000,
          retry_seconds: pace.retry / 1000,
          kept_seconds: pace.keep / 1000,
          note: 'A failed reading leaves the date of the feed as it is. A feed that could not be validated again for `kept_seconds` is no longer shown.'
        },
        becoming_a_partner: {
          what: 'A gallery serves a feed of this contract over https and agrees with the operator that it is shown; the operator then declares it. The schema of `feed` is in the OpenAPI document.',
          contract_schema: pathTo('openapi'),
          contact_at: pathTo('manifest')
        },
        rights_boundary: {
          license: 'NOASSERTION',
          note: 'Rights are those of each piece, as the partner declares them; nobody here verified them. The feed as a whole carries no permission.'
        }
      },
      shown === undefined ? {} : { asOf: shown.asOf }
    )
  }
})
