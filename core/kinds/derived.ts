import { Type } from '../canonical/type.ts'
import { OnlyGet, type ManifestWith } from '../manifest/manifest.ts'
import { checkPlaceholders } from '../manifest/rules.ts'
import type { Result } from '../plan/kind.ts'
import { contracts } from '../vocabulary/words.ts'
import { checkForm, codeOf, codeReference, resultOf } from './code.ts'
import { defineKind } from './kind.ts'
import { codeFile, defaultPath, withoutPlaceholders } from './scaffold.ts'

type DerivedAnswer = Readonly<{ code: string }>

const example = `import { defineDerived, reply, Type } from 'pantry/handler'

export default defineDerived({
  // The schema of what \`reply\` gives is published: it says all of it.
  reply: Type.Object({ surfaces: Type.Integer() }, { additionalProperties: false }),
  derive: ({ registry }) => reply({ surfaces: registry.surfaces.length })
})
`

const fields = { method: Type.Optional(OnlyGet) }

export const derived = defineKind<ManifestWith<typeof fields>, DerivedAnswer, 'derivations'>({
  name: 'derived',
  meaning: 'Code derives the answer once from corpora and declarations: `surfaces/handlers/<id>.ts`.',
  reaches: ['derivations'],
  fields,
  holds: ['value', 'words', 'object', 'urls'],
  contracts,
  checkPath: file => checkPlaceholders(file, []),
  checkFit: (file, context) => checkForm(file, context, 'derive'),
  refersTo: codeReference,
  code: codeOf,
  answer: ({ id }) => ({ code: id }),
  facts: ({ code }) => ({ code }),
  /** Derives the answer at the first request, and keeps it until the next reload. */
  compile: ({ answer: { code }, contract }, { derivations }) => {
    const derive = derivations.get(code)
    if (derive === undefined) throw new Error(`There is no code ${code} that answers once.`)
    let known: Result | undefined
    const answer = (): Result => (known ??= resultOf(derive()))
    // A structural document contains the time of the answer, so its bytes are not cached.
    return { when: contract === 'math-mirror' ? 'live' : 'pure', answer }
  },
  scaffold: ({ id, path = defaultPath(id) }, place) => ({
    path: withoutPlaceholders('derived', path),
    provenance: 'computed',
    fields: {},
    files: codeFile(id, place, 'ts', () => example)
  })
})
