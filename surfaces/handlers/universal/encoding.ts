import { defineDerived } from 'pantry/handler'
import { encodingDocument } from '../../catalogue/encoding-document.ts'
import { EncodingSchema } from '../../catalogue/encoding-schema.ts'

/** The encoding of every structural document, itself among them. */
export default defineDerived({
  reply: EncodingSchema,
  derive: ({ registry }) => ({ mirror: encodingDocument(registry.service.encoding) })
})
