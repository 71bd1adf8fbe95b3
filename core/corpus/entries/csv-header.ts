import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggest, suggestion } from '../../diagnostics/suggest.ts'
import { propertiesOf, requiredOf } from '../../manifest/entry-fields.ts'
import { report } from '../../source/report.ts'
import type { SourceFile } from '../../source/source-file.ts'
import type { FormContext } from './form.ts'

/**
 * Checks the first row of a table, so that a mistake in it is reported once and not for each row. `source` finds a
 * column by its number.
 */
export function checkHeader(
  source: SourceFile,
  header: readonly string[],
  { schema, declaration: { separator, hash } }: FormContext
): Diagnostic[] {
  const properties = propertiesOf(schema)
  const known = Object.keys(properties)
  const isUnknown = (name: string): boolean => !known.includes(name) && schema['additionalProperties'] === false
  const other = header.length === 1 ? /[;\t|]/.exec(header[0] ?? '')?.[0] : undefined
  const near = header.filter(isUnknown).map(name => suggest(name, known))
  const absent = requiredOf(schema).filter(
    name => !header.includes(name) && name !== hash?.field && !near.includes(name)
  )

  const wrong = header.flatMap((name, index): Diagnostic[] => {
    const types = [properties[name]?.['type']].flat()
    if (name === '')
      return [
        report(source, 'M119', [index], 'A column has no name.', {
          hint: 'The first row names the field of each column.'
        })
      ]
    if (header.indexOf(name) < index)
      return [
        report(source, 'M102', [index], `The column \`${name}\` is already named.`, { hint: 'Keep one of the two.' })
      ]
    if (isUnknown(name))
      return [
        report(source, 'C201', [index], `\`${name}\` is not a field of an entry.`, {
          hint: other === undefined ? suggestion(name, known) : 'Separate cells with commas.'
        })
      ]
    if (types.includes('object'))
      return [
        report(source, 'C210', [index], `\`${name}\` is a mapping, which no cell can hold.`, {
          hint: 'Write the entries as JSON Lines or YAML.'
        })
      ]
    return types.includes('array') && separator === undefined
      ? [
          report(
            source,
            'C210',
            [index],
            `\`${name}\` is a list, but \`corpus.yaml\` does not say what separates its items.`,
            { hint: 'Add `separator: ";"` there.' }
          )
        ]
      : []
  })
  return other !== undefined && wrong.length > 0
    ? wrong
    : [
        ...wrong,
        ...absent.map(name =>
          report(source, 'C201', [0], `\`${name}\` is required in an entry, but no column has that name.`, {
            hint: `Add the column \`${name}\`.`
          })
        )
      ]
}
