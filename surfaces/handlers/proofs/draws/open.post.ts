import { closed, Hash, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { DrawId, hashOfReceipt, ProofReceipt, Result, Seed } from '../../../proofs/draw.ts'

/** Opens a draw with the client's seed, which must be chosen after the service's commitment is known. */
export default defineHandler({
  params: Type.Object({ id: DrawId }),
  body: { schema: Type.Object({ client_seed: Seed }, { additionalProperties: false }), limitBytes: 512 },
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
    const {
      params: { id },
      body: { client_seed: clientSeed },
      pathTo
    } = request
    await shares.take('open a draw', request)
    const receipt = await draws.open(id, clientSeed)
    return reply({
      '@kind': 'draw-opened',
      server_seed: receipt.server_seed,
      result: receipt.result,
      receipt,
      leaf_hash: hashOfReceipt(receipt),
      _links: {
        receipt: pathTo('proofs/receipt', { id }),
        rates: pathTo('proofs/rates', { digest: receipt.rates_digest })
      }
    })
  }
})
