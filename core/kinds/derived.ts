import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Reply } from '../handler/handler.ts'
import { OnlyGet, type ManifestWith } from '../manifest/manifest.ts'
import { readPlaceholders } from '../manifest/rules.ts'
import type { Surface } from '../manifest/surface.ts'
import type { ContentSource, Given, Result } from '../plan/kind.ts'
import { contracts } from '../vocabulary/words.ts'
import { checkForm, codeOf, codeReference } from './code.ts'
import { defineKind } from './kind.ts'
import { defaultPath, withoutPlaceholders, type Files, type ScaffoldPlace } from './scaffold.ts'

type DerivedAnswer = Readonly<{ code: string }>

// The cast is safe: a reply has the type of its schema, and the schema describes JSON.
const resultOf = ({ status = 200, data = null, ...rest }: Reply): Result => ({
  status,
  data: data as JsonValue,
  ...rest
})

/** Compiles a surface whose answer is derived at the first request and then kept. */
function compileDerived(surface: Surface<DerivedAnswer>, { derivations }: Given<'derivations'>): ContentSource {
  const derive = derivations.get(surface.answer.code)
  if (derive === undefined) throw new Error(`There is no code ${surface.answer.code} that answers once.`)
  let known: Result | undefined
  const answer = (): Result => (known ??= resultOf(derive()))
  // A structural document contains the time of the answer, so its bytes are not cached.
  return { when: surface.contract === 'math-mirror' ? 'live' : 'pure', answer }
}

/**
 * Returns an example handler that counts the surfaces. It is TypeScript if the root has a `tsconfig.json`, else
 * JavaScript.
 */
function derivedFile(id: string, { folder }: ScaffoldPlace): Files {
  const typed = existsSync(join(folder, 'tsconfig.json'))
  const text = [
    ...(typed ? [] : ['// @ts-check']),
    "import { defineDerived, reply, Type } from 'pantry/handler'",
    '',
    'export default defineDerived({',
    '  // The schema of what `reply` gives is published: it says all of it.',
    '  reply: Type.Object({ surfaces: Type.Integer() }, { additionalProperties: false }),',
    '  derive: ({ registry }) => reply({ surfaces: registry.surfaces.length })',
    '})',
    ''
  ]
  return { [`surfaces/handlers/${id}.${typed ? 'ts' : 'js'}`]: text.join('\n') }
}

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
