import type { Static } from 'typebox'
import { Type } from '../canonical/type.ts'
import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { invalid } from '../handler/errors.ts'
import { closed } from '../manifest/manifest.ts'
import { echoed, type Echoes, type Input } from '../manifest/surface.ts'
import { parameters, segments } from '../manifest/normalise.ts'
import type { ManifestFile } from '../manifest/kind.ts'
import type { Result, ContentSource } from '../plan/kind.ts'
import { checkSchema } from '../schema/compile.ts'
import { isSafePattern, unsafePatternHint } from '../schema/patterns.ts'
import { report } from '../source/report.ts'
import { NormaliseSteps } from './fields.ts'

/** The manifest field of a fixed answer that lists the request parameters to repeat in the answer. */
export const EchoField = Type.Optional(
  Type.Record(
    Type.String(),
    Type.Object(
      {
        description: Type.String({ minLength: 1, maxLength: 300, description: 'What the parameter is.' }),
        max_length: Type.Integer({
          minimum: 1,
          maximum: 500,
          description: 'Longest value in characters, before it is normalised.'
        }),
        pattern: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 300,
            description: 'Form of the value, before it is normalised. Default: any text without control characters.'
          })
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

/** The default pattern of an echoed parameter: text without control characters. */
const plainText = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

export const echoOf = (field: EchoField | undefined): { echo?: Echoes } =>
  field === undefined
    ? {}
    : {
        echo: Object.fromEntries(
          Object.entries(field).map(
            ([name, { description, max_length: maxLength, pattern = plainText, normalise = [] }]) => [
              name,
              { description, maxLength, pattern, normalise }
            ]
          )
        )
      }

/**
 * M320: the name of an echoed parameter must be free and well formed. M316: its pattern must not backtrack without
 * bound.
 */
export const checkEcho = ({ source }: ManifestFile, field: EchoField | undefined): Diagnostic[] =>
  Object.entries(field ?? {}).flatMap(([name, { pattern }]) => {
    const at = ['echo', name]
    if (name === 'format' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return [
        report(source, 'M320', at, `\`${name}\` cannot be the name of an echoed parameter.`, {
          on: 'key',
          hint:
            name === 'format' ? '`format` already chooses the representation.' : 'Use letters, digits and underscores.'
        })
      ]
    }
    if (pattern === undefined) return []
    const wrong = checkSchema({ type: 'string', pattern })
    if (wrong.length > 0) return wrong.map(({ message }) => report(source, 'M320', [...at, 'pattern'], message))
    return isSafePattern(pattern)
      ? []
      : [
          report(source, 'M316', [...at, 'pattern'], `\`${pattern}\` can backtrack without bound.`, {
            hint: unsafePatternHint
          })
        ]
  })

/** Returns the input with the echoed parameters: those that are placeholders in `params`, the others in `query`. */
export function echoInput(echo: Echoes | undefined, placeholders: readonly string[]): Partial<Input> {
  const schemas = Object.entries(echo ?? {}).map(
    ([name, { description, maxLength, pattern }]): [string, JsonSchema] => [
      name,
      { type: 'string', minLength: 1, maxLength, pattern, description }
    ]
  )
  return {
    params: segments(placeholders, Object.fromEntries(schemas.filter(([name]) => placeholders.includes(name)))),
    query: parameters(Object.fromEntries(schemas.filter(([name]) => !placeholders.includes(name))))
  }
}

/** Returns the schema of a document with the echoed parameters added as members. */
export function withEchoed(document: JsonSchema, echo: Echoes | undefined, placeholders: JsonSchema): JsonSchema {
  if (echo === undefined) return document
  const inPath = placeholders['properties'] as JsonObject
  const members = Object.entries(echo).map(
    ([name, { description, maxLength }]) =>
      [name, { type: name in inPath ? 'string' : ['string', 'null'], maxLength, description }] as const
  )
  return {
    ...document,
    properties: { ...(document['properties'] as JsonObject), ...Object.fromEntries(members) },
    required: [...((document['required'] as string[] | undefined) ?? []), ...members.map(([name]) => name)]
  }
}

/**
 * Returns a source that adds echoed parameters to a fixed answer. It is `live`, because a prepared answer would store
 * what a caller sent.
 */
export const echoing = (result: Result, document: JsonObject, echo: Echoes): ContentSource => ({
  when: 'live',
  answer: ({ params, query }) => {
    const given = echoed(echo, { ...query, ...params })
    for (const [name, value] of Object.entries(given))
      if (value === '') throw invalid(name, `\`${name}\` is empty after normalisation.`)
    return { ...result, data: { ...document, ...given } }
  }
})
