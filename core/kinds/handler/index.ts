import Type from 'typebox'
import { AnyMethods, SurfaceId } from '../../manifest/facets.ts'
import type { ManifestWith } from '../../manifest/schema.ts'
import { formats } from '../../format/index.ts'
import { contracts } from '../../vocabulary/words.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, paramsExample } from '../scaffold.ts'
import { handlerFile } from './file.ts'
import { compileHandler, type HandlerAnswer } from './source.ts'

const fields = {
  method: Type.Optional(AnyMethods),
  handler: Type.Optional({ ...SurfaceId, description: 'File below `surfaces/handlers/` without its ending. Default: the id of the surface.' })
}

/** The one kind that is given services. */
export const handler = defineKind<ManifestWith<typeof fields>, HandlerAnswer, 'handlers' | 'service' | 'ask'>({
  name: 'handler',
  meaning: 'Code answers: `surfaces/handlers/<id>.ts`.',
  reaches: ['handlers', 'service', 'ask'],
  fields,
  formats,
  contracts,
  refersTo: ({ id, manifest: { handler } }) => [{ to: 'handlers', name: handler ?? id, at: [handler === undefined ? 'kind' : 'handler'], answersWith: true }],
  code: ({ id, manifest }, { handlers }) => {
    const name = manifest.handler ?? id
    const shape = handlers.get(name)
    return shape === undefined ? undefined : { what: `The handler \`${name}\``, ...shape }
  },
  answer: ({ id, manifest }) => ({ handler: manifest.handler ?? id }),
  facts: ({ handler }) => ({ code: handler }),
  compile: compileHandler,
  scaffold: ({ id, path = defaultPath(id) }, place) => ({ path, provenance: 'computed', fields: {}, ...paramsExample(path), files: handlerFile(id, path, place) })
})
