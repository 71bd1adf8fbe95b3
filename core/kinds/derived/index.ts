import { Type } from '../../canonical/type.ts'
import { OnlyGet, type ManifestWith } from '../../manifest/manifest.ts'
import { readPlaceholders } from '../../manifest/rules.ts'
import { contracts } from '../../vocabulary/words.ts'
import { checkForm, codeOf, codeReference } from '../code.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, withoutPlaceholders } from '../scaffold.ts'
import { derivedFile } from './file.ts'
import { compileDerived, type DerivedAnswer } from './source.ts'

const fields = { method: Type.Optional(OnlyGet) }

export const derived = defineKind<ManifestWith<typeof fields>, DerivedAnswer, 'derivations'>({
  name: 'derived',
  meaning: 'Code derives the answer once from corpora and declarations: `surfaces/handlers/<id>.ts`.',
  reaches: ['derivations'],
  fields,
  holds: ['value', 'words', 'object'],
  contracts,
  checkPath: file => readPlaceholders(file, []),
  checkFit: (file, context) => checkForm(file, context, 'derive'),
  refersTo: codeReference,
  code: codeOf,
  answer: ({ id }) => ({ code: id }),
  facts: ({ code }) => ({ code }),
  compile: compileDerived,
  scaffold: ({ id, path = defaultPath(id) }, place) => ({
    path: withoutPlaceholders('derived', path),
    provenance: 'computed',
    fields: {},
    files: derivedFile(id, place)
  })
})
