import type { JsonSchema } from '../../canonical/json.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import type { ManifestFile } from '../../manifest/kind.ts'
import { checkSchema } from '../../schema/compile.ts'
import { propertiesOf, typesOf } from '../../schema/json-schema.ts'
import { unsafePatternHint, unsafePatterns } from '../../schema/patterns.ts'
import { report, type SourceFile } from '../../source/report.ts'
import { freeMembers } from '../fixed-members.ts'
import type { WitnessManifest } from './manifest.ts'

/** The names of the members that a witness writes itself. */
const own = ['echo', 'content_hash', 'hash_contract', 'received_at', 'report', 'receipt']

/** M315, M316: a schema must describe an object and compile, and its patterns must not backtrack without bound. */
function objectSchema(source: SourceFile, at: readonly string[], schema: JsonSchema): Diagnostic[] {
  const issues =
    schema['type'] === 'object'
      ? checkSchema(schema)
      : [{ pointer: ['type'], on: 'value' as const, message: 'The schema must have `type: object`.' }]
  if (issues.length > 0)
    return issues.map(issue => report(source, 'M315', [...at, ...issue.pointer], issue.message, { on: issue.on }))
  return unsafePatterns(schema).map(({ pointer, pattern }) =>
    report(source, 'M316', [...at, ...pointer], `\`${pattern}\` can backtrack without bound.`, {
      hint: unsafePatternHint
    })
  )
}

/**
 * M313 to M316: the schemas of body and advice must be valid, and `hash.over` and `normalise` must name members of the
 * body.
 */
function checkBody({ source, manifest }: ManifestFile<WitnessManifest>): Diagnostic[] {
  const schemas = [
    ...objectSchema(source, ['body', 'schema'], manifest.body.schema),
    ...(manifest.advice === undefined ? [] : objectSchema(source, ['advice'], manifest.advice))
  ]
  if (schemas.some(({ code }) => code === 'M315')) return schemas
  const properties = propertiesOf(manifest.body.schema)
  const names = Object.keys(properties)
  const over = manifest.hash.over.flatMap((name, index) =>
    name in properties
      ? []
      : [
          report(source, 'M313', ['hash', 'over', index], `The body schema has no member \`${name}\`.`, {
            hint: suggestion(name, names)
          })
        ]
  )
  const normalised = Object.keys(manifest.normalise ?? {}).flatMap(name => {
    const member = properties[name]
    if (member === undefined)
      return [
        report(source, 'M314', ['normalise', name], `The body schema has no member \`${name}\`.`, {
          on: 'key',
          hint: suggestion(name, names)
        })
      ]
    return typesOf(member).includes('string')
      ? []
      : [
          report(source, 'M314', ['normalise', name], `\`${name}\` is not a text, so there is nothing to normalise.`, {
            on: 'key'
          })
        ]
  })
  return [...schemas, ...over, ...normalised]
}

export const checkWitness = (file: ManifestFile<WitnessManifest>): Diagnostic[] => [
  ...checkBody(file),
  ...freeMembers(file, file.manifest.with, own)
]
