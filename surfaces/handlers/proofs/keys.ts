import { closed, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { PublicKey } from '../../proofs/head.ts'

/** Public keys of all signed heads, and where what they sign is. */
export default defineHandler({
  reply: closed({ '@kind': Type.Literal('proof-keys'), keys: Type.Array(PublicKey), _links: closed({ chain: Text, digest: Text, receipt: Text, rates: Text, consistency: Text }) }),
  async handle ({ pathTo }, { proofs }) {
    return reply({
      '@kind': 'proof-keys', keys: [...await proofs.keys()],
      _links: { chain: pathTo('proofs/chain'), digest: pathTo.pattern('proofs/digests/digest'), receipt: pathTo.pattern('proofs/receipt'), rates: pathTo.pattern('proofs/rates'), consistency: pathTo('proofs/consistency') }
    })
  }
})
