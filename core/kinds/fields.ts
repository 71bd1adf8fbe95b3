import type { TObjectOptions } from 'typebox'
import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { ensureDefined, type Context, type ManifestFile, type ManifestReference } from '../manifest/kind.ts'
import { Name, type Manifest } from '../manifest/manifest.ts'
import { placeholdersOf } from '../manifest/paths.ts'
import { checkPlaceholders, quotedPlaceholders } from '../manifest/rules.ts'
import { normaliseSteps } from '../manifest/surface.ts'
import { inferSchema } from '../schema/json-schema.ts'
import { report } from '../source/report.ts'

/**
 * The contracts of kinds whose answer the manifest declares. `math-mirror` is not one, because only code computes its
 * hashes.
 */
export const declaredContracts = ['envelope', 'bare'] as const

export const CorpusField = {
  ...Name,
  examples: ['guides'],
  description: 'Name of the corpus: its folder below `corpora/`.'
}

export const corpusReference = (name: string): ManifestReference => ({
  to: 'corpora',
  name,
  at: ['corpus'],
  answersWith: true
})

/** Returns a corpus whose existence the registry has checked. */
export const corpusOf = ({ corpora }: Pick<Context, 'corpora'>, name: string): Corpus =>
  ensureDefined(corpora.get(name), `corpus ${name}`)

/** M302: the only placeholder of the path is the one under `key`. */
export function checkKeyPath(file: ManifestFile<Manifest & Readonly<{ key: string }>>): readonly Diagnostic[] {
  const { path, key } = file.manifest
  const names = placeholdersOf(path)
  if (names.includes(key)) return checkPlaceholders(file, [key], 'The surface reads its key only.')
  const hint =
    names.length === 0
      ? `Write the path with a placeholder, such as \`${path}/{${key}}\`.`
      : `The path has ${quotedPlaceholders(names)}.`
  const message = `The path has no \`{${key}}\` placeholder for \`key: ${key}\`.`
  return [report(file.source, 'M302', ['key'], message, { hint })]
}

export const NormaliseSteps = Type.Array(Type.Enum(normaliseSteps), { minItems: 1, uniqueItems: true })

export const Sentence = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

export const AnyMembers = (options: TObjectOptions) => Type.Record(Type.String(), Type.Unknown(), options)

/** Makes the manifest field `with`: members that come before those of the kind. */
export const FixedMembers = (before: string) =>
  Type.Optional(
    AnyMembers({
      examples: [{ note: 'Hours may differ on holidays.' }],
      description: `Fixed members that come before ${before}.`
    })
  )

/** The field `with` was named `document` before version 0.2. */
export const renamedMembers = { document: 'with' }

export const fixedMembers = (members: JsonObject): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, inferSchema(value)]))

/** What people call the thing that a member of an answer holds, such as `opening hours` for `opening_hours`. */
export const nounOf = (member: string): string => member.replaceAll('_', ' ')

export const checkMemberNames = (
  { source }: ManifestFile,
  fixed: object | undefined,
  own: readonly string[],
  field = 'with'
): Diagnostic[] =>
  Object.keys(fixed ?? {})
    .filter(name => own.includes(name))
    .map(name =>
      report(source, 'M319', [field, name], `The answer has a member \`${name}\` of its own.`, {
        on: 'key',
        hint: 'Choose another name.'
      })
    )

export const text = (description: string): JsonSchema => ({ type: 'string', description })
export const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })

/** Returns the schema of an object with exactly these members, all required. */
export const exactly = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})
