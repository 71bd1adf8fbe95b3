import type { Static } from 'typebox'
import { Type } from '../canonical/type.ts'
import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { invalid } from '../handler/errors.ts'
import { closed } from '../manifest/manifest.ts'
import { echoed, type Echoes, type Input } from '../manifest/surface.ts'
import { parametersSchema, placeholdersSchema, segment } from '../manifest/normalise.ts'
import type { ManifestFile } from '../manifest/kind.ts'
import type { Result, ContentSource } from '../plan/kind.ts'
import { checkSchema } from '../schema/compile.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { isSafePattern, unsafePatternHint } from '../schema/patterns.ts'
import { report } from '../source/report.ts'
import { NormaliseSteps, Sentence } from './fields.ts'

/** The request parameters that a fixed answer repeats. */
export const EchoField = Type.Optional(
  Type.Record(
    Type.String(),
    Type.Object(
      {
        description: Sentence(300, 'What the parameter is.'),
        max_length: Type.Integer({
          minimum: 1,
          maximum: 500,
          description: 'Longest value in characters, before it is normalised.'
        }),
        pattern: Type.Optional(
          Sentence(300, 'Form of the value, before it is normalised. Default: any text without control characters.')
        ),
        normalise: Type.Optional({ ...NormaliseSteps, description: 'Steps applied to the value, in order.' })
      },
      closed
    ),
    {
      minProperties: 1,
      examples: [{ room: { description: 'Which room.', max_length: 20, pattern: '^[a-z]+$', normalise: ['trim'] } }],
      description:
        'Parameters that the answer gives back beside its own members, by name: placeholders of the path, or optional query parameters. They are never kept.'
    }
  )
)

type EchoField = Readonly<Static<typeof EchoField>>

const plainText = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

export function echoOf(field: EchoField | undefined): { echo?: Echoes } {
  if (field === undefined) return {}
  const echoes = Object.entries(field).map(
    ([name, { description, max_length: maxLength, pattern = plainText, normalise = [] }]) =>
      [name, { description, maxLength, pattern, normalise }] as const
  )
  return { echo: Object.fromEntries(echoes) }
}

export function* checkEcho({ source }: ManifestFile, field: EchoField = {}): Generator<Diagnostic> {
  for (const [name, { pattern }] of Object.entries(field)) {
    const at = ['echo', name, 'pattern']
    if (name === 'format' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      const hint =
        name === 'format' ? '`format` already chooses the representation.' : 'Use letters, digits and underscores.'
      const message = `\`${name}\` cannot be the name of an echoed parameter.`
      yield report(source, 'M320', ['echo', name], message, { on: 'key', hint })
    } else if (pattern !== undefined) {
      const wrong = checkSchema({ type: 'string', pattern })
      for (const { message } of wrong) yield report(source, 'M320', at, message)
      if (wrong.length === 0 && !isSafePattern(pattern))
        yield report(source, 'M316', at, `\`${pattern}\` can backtrack without bound.`, { hint: unsafePatternHint })
    }
  }
}

/** Returns the input of a fixed answer. `other`: the schema of placeholders that are not given back. */
export function echoInput(echo: Echoes = {}, placeholders: readonly string[], other = segment): Partial<Input> {
  const schemas = (isInPath: boolean): Record<string, JsonSchema> =>
    Object.fromEntries(
      Object.entries(echo)
        .filter(([name]) => placeholders.includes(name) === isInPath)
        .map(([name, { description, maxLength, pattern }]) => [
          name,
          { type: 'string', minLength: 1, maxLength, pattern, description }
        ])
    )
  const others = Object.fromEntries(placeholders.map(name => [name, other]))
  return {
    params: placeholdersSchema(placeholders, { ...others, ...schemas(true) }),
    query: parametersSchema(schemas(false))
  }
}

export function withEchoed(document: JsonSchema, echo: Echoes | undefined, placeholders: JsonSchema): JsonSchema {
  if (echo === undefined) return document
  const inPath = propertiesOf(placeholders)
  const members = Object.entries(echo).map(
    ([name, { description, maxLength }]) =>
      [name, { type: name in inPath ? 'string' : ['string', 'null'], maxLength, description }] as const
  )
  return {
    ...document,
    properties: { ...propertiesOf(document), ...Object.fromEntries(members) },
    required: [...requiredOf(document), ...members.map(([name]) => name)]
  }
}

/** Adds echoed parameters to a fixed answer. The source is `live`: a prepared answer would store what a caller sent. */
export const echoing = (result: Result, document: JsonObject, echo: Echoes): ContentSource => ({
  when: 'live',
  answer: ({ params, query }) => {
    const values = echoed(echo, { ...query, ...params })
    for (const [name, value] of Object.entries(values))
      if (value === '') throw invalid(name, `\`${name}\` is empty after normalisation.`)
    return { ...result, data: { ...document, ...values } }
  }
})
