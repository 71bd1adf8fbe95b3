import { Type } from '../../canonical/type.ts'
import { AnyMethods, type ManifestWith } from '../../manifest/manifest.ts'
import { contents } from '../../format/format.ts'
import { contracts } from '../../vocabulary/words.ts'
import { checkForm, codeOf, codeReference } from '../code.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, paramsExample } from '../scaffold.ts'
import { withChoice } from './choice.ts'
import { handlerFile } from './file.ts'
import { compileHandler, type HandlerAnswer } from './source.ts'

const fields = { method: Type.Optional(AnyMethods) }

/** The only kind whose code receives services. */
export const handler = defineKind<ManifestWith<typeof fields>, HandlerAnswer, 'handlers' | 'service' | 'ask'>({
  name: 'handler',
  meaning: 'Code answers: `surfaces/handlers/<id>.ts`.',
  reaches: ['handlers', 'service', 'ask'],
  fields,
  holds: contents,
  contracts,
  checkFit: (file, context) => checkForm(file, context, 'handle'),
  refersTo: codeReference,
  code: (file, context) => {
    const code = codeOf(file, context)
    return code === undefined ? undefined : withChoice(code)
  },
  answer: ({ id }) => ({ handler: id }),
  facts: ({ handler }) => ({ code: handler }),
  compile: compileHandler,
  scaffold: ({ id, path = defaultPath(id) }, place) => ({
    path,
    provenance: 'computed',
    fields: {},
    ...paramsExample(path),
    files: handlerFile(id, path, place)
  })
})
