import { EncodingSchema } from '../../catalogue/encoding-schema.ts'
import { defineHandler } from '../../define.ts'

/** The encoding of every structural document, itself among them. */
export default defineHandler({
  reply: EncodingSchema,
  handle: (_request, { encodingText }) => ({ mirror: encodingText })
})
