import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { DrawId } from '../../proofs/draw.ts'
import { ReceiptProof } from '../../proofs/proofs.ts'

/** Returns a receipt with the proof that it is in the tree. */
export default defineHandler({
  params: Type.Object({ id: DrawId }),
  reply: ReceiptProof,
  async handle({ params: { id } }, { proofs }) {
    return reply(await proofs.receipt(id))
  }
})
