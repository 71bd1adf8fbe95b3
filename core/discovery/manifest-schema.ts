import { Type } from '../canonical/type.ts'
import { editorSchema } from '../manifest/parse.ts'
import { defineDocument } from './define.ts'

const Document = Type.Record(Type.String(), Type.Unknown(), { description: 'A JSON Schema, draft-07.' })

/** Serves the JSON Schema with which editors check manifests. */
export const manifestSchema = defineDocument(Document)({ build: ({ kinds }) => editorSchema(kinds) })
