import type { JsonSchema } from '../../canonical/json.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import { checkSchema } from '../../schema/compile.ts'
import { unsafePatternHint, unsafePatterns } from '../../schema/patterns.ts'
import { report } from '../../source/report.ts'
import { propertiesOf, typesOf } from '../entry-fields.ts'
import type { ManifestRule } from './rule.ts'

/** M313 to M316: the body schema is sound, and the hash and the normalisation name its members. */
export const witnessFields: ManifestRule = ({ source, manifest }) => {
  if (manifest.kind !== 'witness') return []
  const schema: JsonSchema = manifest.body.schema
  const at = ['body', 'schema']
  const issues = schema['type'] === 'object' ? checkSchema(schema) : [{ pointer: ['type'], on: 'value' as const, message: 'The schema must have `type: object`.' }]
  if (issues.length > 0) return issues.map(issue => report(source, 'M315', [...at, ...issue.pointer], issue.message, { on: issue.on }))
  const unsafe = unsafePatterns(schema).map(({ pointer, pattern }) =>
    report(source, 'M316', [...at, ...pointer], `\`${pattern}\` can backtrack without bound.`, { hint: unsafePatternHint }))
  const properties = propertiesOf(schema)
  const names = Object.keys(properties)
  const over = manifest.hash.over.flatMap((name, index) => name in properties ? [] : [
    report(source, 'M313', ['hash', 'over', index], `The body schema has no member \`${name}\`.`, { hint: suggestion(name, names) })
  ])
  const normalised = Object.keys(manifest.normalise ?? {}).flatMap(name => {
    const member = properties[name]
    if (member === undefined) return [report(source, 'M314', ['normalise', name], `The body schema has no member \`${name}\`.`, { on: 'key', hint: suggestion(name, names) })]
    return typesOf(member).includes('string') ? [] : [report(source, 'M314', ['normalise', name], `\`${name}\` is not a text, so there is nothing to normalise.`, { on: 'key' })]
  })
  return [...unsafe, ...over, ...normalised]
}
