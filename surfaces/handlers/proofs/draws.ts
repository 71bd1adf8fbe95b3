import { closed, Count, Hash, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { DrawId, hashOfReceipt, ProofReceipt, Result, Seed } from '../../proofs/draw.ts'

/** Begins a draw: the service commits to its seed before it knows the client's seed. */
export const post = defineHandler({
  body: {
    schema: closed({
      set: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 20,
          description: 'Code of a set whose rates are known; without it the newest.'
        })
      )
    }),
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
    const { pathTo } = request
    const { isFirst } = await shares.take('begin a draw', request)
    const begun = await draws.begin(request.body.set, isFirst)
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

/** Opens a draw with the client's seed, which must be chosen after the service's commitment is known. */
export const openPost = defineHandler({
  params: Type.Object({ id: DrawId }),
  body: { schema: closed({ client_seed: Seed }), limitBytes: 512 },
  refuses: [429],
  reply: closed({
    '@kind': Type.Literal('draw-opened'),
    server_seed: Seed,
    result: Result,
    receipt: ProofReceipt,
    leaf_hash: Hash,
    _links: closed({ receipt: Text, rates: Text })
  }),
  async handle(request, { draws, shares }) {
    const { params, pathTo } = request
    await shares.take('open a draw', request)
    const receipt = await draws.open(params.id, request.body.client_seed)
    return reply({
      '@kind': 'draw-opened',
      server_seed: receipt.server_seed,
      result: receipt.result,
      receipt,
      leaf_hash: hashOfReceipt(receipt),
      _links: {
        receipt: pathTo('proofs/receipt', { id: params.id }),
        rates: pathTo('proofs/rates', { digest: receipt.rates_digest })
      }
    })
  }
})
