import { closed, Count, Hash, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { DrawId } from '../../proofs/draw.ts'

/** Begins a draw: the service commits to its seed before it knows the client's seed. */
export default defineHandler({
  body: {
    schema: Type.Object(
      {
        set: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 20,
            description: 'Code of a set whose rates are known; without it the newest.'
          })
        )
      },
      { additionalProperties: false }
    ),
    limitBytes: 512
  },
  refuses: [429],
  reply: closed({
    '@kind': Type.Literal('draw-begun'),
    id: DrawId,
    game: Text,
    set: Text,
    nonce: Count,
    commitment: Hash,
    rates_digest: Hash,
    begun_at: Text,
    expires_at: Text,
    _links: closed({ open: Text, rates: Text })
  }),
  async handle(request, { draws, shares }) {
    const {
      body: { set },
      pathTo
    } = request
    const { isFirst } = await shares.take('begin a draw', request)
    const begun = await draws.begin(set, isFirst)
    return reply({
      '@kind': 'draw-begun',
      ...begun,
      _links: {
        open: pathTo('proofs/draws/open.post', { id: begun.id }),
        rates: pathTo('proofs/rates', { digest: begun.rates_digest })
      }
    })
  }
})
