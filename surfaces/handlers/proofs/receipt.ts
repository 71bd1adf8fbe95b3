import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { ReceiptProof } from '../../proofs/proofs.ts'
import { DrawId } from '../../proofs/receipt.ts'

/** A receipt, and what proves that it is in the tree. */
export default defineHandler({
  params: Type.Object({ id: DrawId }),
  reply: ReceiptProof,
  async handle({ params: { id } }, { proofs }) {
    return reply(await proofs.receipt(id))
  }
})
