import { defineDerived } from 'pantry/handler'
import { encodingDocument, EncodingSchema } from '../../cards/documents/encoding.ts'

/** Returns the definition of the encoding that all structural documents use, including this one. */
export default defineDerived({
  reply: EncodingSchema,
  derive: ({ registry }) => ({ mirror: encodingDocument(registry.service.encoding) })
})
