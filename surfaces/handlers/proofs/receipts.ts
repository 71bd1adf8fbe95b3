import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { DrawId } from '../../proofs/draw.ts'
import { ReceiptProofs } from '../../proofs/proofs.ts'

/** Returns the newest receipts, or the receipt of one draw. */
export default defineHandler({
  query: Type.Object({ id: Type.Optional(DrawId) }),
  reply: ReceiptProofs,
  async handle({ query: { id } }, { proofs }) {
    return reply({ '@kind': 'draw-receipts', receipts: [...(await proofs.receipts(id))] })
  }
})
