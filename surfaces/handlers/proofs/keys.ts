import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { KeysShown } from '../../proofs/proofs.ts'

/** Returns the public keys of all signed heads, with links to the signed data. */
export default defineHandler({
  reply: KeysShown,
  async handle({ pathTo }, { proofs }) {
    return reply({
      '@kind': 'proof-keys',
      keys: [...(await proofs.keys())],
      _links: {
        chain: pathTo('proofs/chain'),
        digests: pathTo('proofs/digests'),
        digest: pathTo.pattern('proofs/digests/digest'),
        receipt: pathTo.pattern('proofs/receipt'),
        rates: pathTo.pattern('proofs/rates'),
        consistency: pathTo('proofs/consistency'),
        fairness: pathTo('proofs/fairness'),
        health: pathTo('proofs/health')
      }
    })
  }
})
