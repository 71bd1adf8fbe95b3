import type { EntryProblem } from 'pantry/data'
import { asText } from '../reading/modifiers.ts'
import type { Expression, SourceReader } from '../source.ts'
import { saysMoney } from '../withheld.ts'
import { namesOf, originsOf, type Origins } from './check-withheld.ts'
import { expressionsOf, fieldOf } from './expressions-of.ts'

type NamedOrigins = Readonly<{
  origins: Origins
  tables: Readonly<Record<string, Origins>>
  named: Readonly<Record<string, Expression>>
}>

/** Returns every upstream field name that the value of an expression depends on. */
function namesBehind(expression: Expression, around: NamedOrigins): readonly string[] {
  if (typeof expression === 'string') return namesOf(expression, around.origins)
  const of = (members: readonly Expression[]): readonly string[] =>
    members.flatMap(member => namesBehind(member, around))
  const { take, where = {}, when } = expression
  const chosen = [
    ...(take === undefined ? [] : [take]),
    ...Object.entries(where).flatMap(([name, value]) => [name, typeof value === 'object' ? '' : asText(value)]),
    ...(when === undefined ? [] : of([when.value]))
  ]
  if ('use' in expression) {
    const used = around.named[expression.use]
    return used === undefined ? chosen : [...chosen, ...namesBehind(used, around)]
  }
  if ('lookup' in expression)
    return [
      ...chosen,
      expression.lookup,
      ...of([expression.key]),
      ...namesOf(expression.path, around.tables[expression.lookup] ?? new Map())
    ]
  if ('path' in expression) return [...chosen, ...namesOf(expression.path, around.origins)]
  if ('join' in expression) return [...chosen, ...of(expression.join)]
  return 'first' in expression ? [...chosen, ...of(expression.first)] : chosen
}

/** Reports exceptions for fields that are not declared, and for fields whose names suggest that they hold money. */
export function checkExceptions(
  { files, rows, tables = {}, sets, map, expressions: named = {}, exceptions = [] }: SourceReader,
  pointer: EntryProblem['pointer']
): EntryProblem[] {
  if (exceptions.length === 0) return []
  const around: NamedOrigins = {
    origins: originsOf(rows, files),
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, table]) => [name, originsOf(table.rows, [table.file])])
    ),
    named
  }
  const declared = [
    ...expressionsOf(map).map(([at, expression]) => ({ field: fieldOf(at), names: namesBehind(expression, around) })),
    ...(sets === undefined
      ? []
      : expressionsOf(sets.map).map(([at, expression]) => ({
          field: `sets.${fieldOf(at)}`,
          names: namesBehind(expression, { origins: originsOf(sets.rows, sets.files), tables: {}, named: {} })
        })))
  ]
  return exceptions.flatMap(({ field, form }, index): EntryProblem[] => {
    const at = [...pointer, 'exceptions', index, 'field']
    const found = declared.filter(one => one.field === field)
    if (found.length === 0)
      return [
        {
          pointer: at,
          message: `The reader declares no field \`${field}\`.`,
          hint: `Its fields: ${declared.map(one => `\`${one.field}\``).join(', ')}.`
        }
      ]
    const name = [field, ...found.flatMap(({ names }) => names)].find(saysMoney)
    return name === undefined
      ? []
      : [
          {
            pointer: at,
            message: `No exception lets a ${form} into \`${field}\`: \`${name}\` says price, value or market.`,
            hint: 'What an upstream calls so is what somebody pays: map another field.'
          }
        ]
  })
}
