import type { Static } from 'typebox'
import { Type } from '../canonical/type.ts'
import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { invalid } from '../handler/errors.ts'
import { closed } from '../manifest/facets.ts'
import { echoed, type Echoes } from '../manifest/echo.ts'
import { parameters, segments } from '../manifest/input.ts'
import type { ManifestFile } from '../manifest/manifest-file.ts'
import type { Input } from '../manifest/surface.ts'
import type { Result, Source } from '../plan/result.ts'
import { checkSchema } from '../schema/compile.ts'
import { isSafePattern, unsafePatternHint } from '../schema/patterns.ts'
import { report } from '../source/report.ts'
import { NormaliseSteps } from './normalise-field.ts'

/** The field of a fixed answer that also gives parameters of the request back. */
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

/** What an echoed parameter may hold where its manifest gives no pattern: no control characters. */
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

/** M320: what is echoed is a parameter of its own. M316: its form can be checked in linear time. */
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

/** The echoed parameters are in the path or in the query. */
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

/** The schema of a document with the echoed parameters as members of their own. */
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
 * A fixed answer that also gives parameters back. It is live, because a prepared answer would keep what a caller wrote.
 */
export const echoing = (result: Result, document: JsonObject, echo: Echoes): Source => ({
  when: 'live',
  answer: ({ params, query }) => {
    const given = echoed(echo, { ...query, ...params })
    for (const [name, value] of Object.entries(given))
      if (value === '') throw invalid(name, `\`${name}\` is empty after normalisation.`)
    return { ...result, data: { ...document, ...given } }
  }
})
