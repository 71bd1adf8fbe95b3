import type { JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestion } from '../diagnostics/suggest.ts'
import { propertiesOf, requiredOf } from '../manifest/entry-fields.ts'
import { report } from '../source/report.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { CorpusDeclaration } from './declaration.ts'

/**
 * Checks `corpus.yaml` against the entry schema: the fields it names must exist, and the key must be a required string.
 */
export function checkDeclaration(
  source: SourceFile,
  declaration: CorpusDeclaration,
  schemaSource: SourceFile,
  schema: JsonSchema,
  fileNames: readonly string[]
): Diagnostic[] {
  const { key, order, roles = {}, keep = [], hash } = declaration
  const properties = propertiesOf(schema)
  const isRequired = requiredOf(schema).includes(key)
  const unknown = (pointer: (string | number)[], field: string): Diagnostic[] =>
    field in properties
      ? []
      : [
          report(source, 'C207', pointer, `\`${schemaSource.file}\` has no property \`${field}\`.`, {
            hint: suggestion(field, Object.keys(properties))
          })
        ]
  const markdown = roles.text === undefined ? fileNames.find(name => name.endsWith('.md')) : undefined
  return [
    ...(markdown === undefined
      ? []
      : [
          report(source, 'C210', ['roles'], `\`${markdown}\` has a text, but nothing says which field it is.`, {
            on: 'key',
            hint: 'Add `roles: { text: body }` with the name of that field.'
          })
        ]),
    ...(isRequired && properties[key]?.['type'] === 'string'
      ? []
      : [
          report(
            source,
            'C206',
            ['key'],
            `\`${key}\` is not a required property of type string in \`${schemaSource.file}\`.`,
            {
              hint:
                key in properties
                  ? `Give it \`type: string\` and list it under \`required\`.`
                  : suggestion(key, Object.keys(properties))
            }
          )
        ]),
    ...order.flatMap((name, index) => unknown(['order', index], name.replace(/^-/, ''))),
    ...Object.entries(roles).flatMap(([role, field]) => unknown(['roles', role], field)),
    ...keep.flatMap((name, index) => unknown(['keep', index], name)),
    ...(hash === undefined
      ? []
      : [
          ...unknown(['hash', 'field'], hash.field),
          ...hash.over.flatMap((name, index) => unknown(['hash', 'over', index], name))
        ]),
    ...(hash?.over.includes(hash.field) === true
      ? [
          report(
            source,
            'C209',
            ['hash', 'over', hash.over.indexOf(hash.field)],
            `The hash \`${hash.field}\` cannot cover itself.`,
            { hint: 'Remove it from `over`.' }
          )
        ]
      : [])
  ]
}
