import type { EntryProblem, JsonValue } from 'pantry/data'
import { asText, pathsOf, stepsOf } from '../reading/expression.ts'
import { exceptedForm } from '../reading/kept-values.ts'
import type { Expression, FileOfSource, MemberPath, Modifiers, RowStep, SourceReader } from '../source.ts'
import { mayBeCut, saysMoney, withheldByForm, withheldByName, type Form, type Withheld } from '../withheld.ts'
import { expressionsOf, fieldOf } from './check-reader.ts'
import { letsThrough, type IsSafe } from './patterns.ts'

type Pointer = EntryProblem['pointer']
/** The path of names, from the document on, that each loop runs over; the loop's key variable has the same path. */
type Origins = ReadonlyMap<string, readonly string[]>

const originsOf = (steps: readonly RowStep[], files: readonly FileOfSource[]): Origins => {
  const origins = new Map<string, readonly string[]>([['file', []]])
  for (const step of steps) {
    const names =
      step.each === undefined
        ? files.flatMap(({ at }) => at?.split('.') ?? [])
        : pathsOf(step).flatMap(path => namesOf(path, origins))
    for (const name of [step.as, step.key]) if (name !== undefined) origins.set(name, names)
  }
  return origins
}

/** Returns the upstream names in a path, with the loop at its start replaced by the names it runs over. */
function namesOf(path: MemberPath, origins: Origins): readonly string[] {
  const [loop = '', ...names] = stepsOf(path)
  return [...(origins.get(loop) ?? []), ...names]
}

/**
 * Returns the kind of withheld data that a name indicates, or `undefined`; also `undefined` if only a part of the value
 * is used (`isCut`) and a value of that kind may be cut.
 */
function kindOf(name: string, isCut: boolean): Withheld | undefined {
  const kind = withheldByName(name)
  return kind !== undefined && isCut && mayBeCut(kind) ? undefined : kind
}

function checkPath(path: MemberPath, pointer: Pointer, origins: Origins, isCut: boolean): EntryProblem[] {
  const kind = namesOf(path, origins)
    .map(name => kindOf(name, isCut))
    .find(one => one !== undefined)
  return kind === undefined
    ? []
    : [
        {
          pointer,
          message: `\`${stepsOf(path).join('.')}\` is a ${kind} by its name, and none is kept.`,
          hint: mayBeCut(kind)
            ? 'Where it alone holds a number or a keyword, take that out with `pattern` and `group`.'
            : 'Map another field, or leave this one out.'
        }
      ]
}

const texts = (value: JsonValue): readonly string[] => (typeof value === 'object' ? [] : [asText(value)])

/** Checks `take` and the texts in `where`, which select a member of a list, as names of upstream fields. */
const checkChosen = ({ where = {}, take }: Modifiers, pointer: Pointer, isCut: boolean): EntryProblem[] =>
  [...(take === undefined ? [] : [take]), ...Object.values(where).flatMap(texts)].flatMap((name): EntryProblem[] => {
    const kind = kindOf(name, isCut)
    return kind === undefined
      ? []
      : [
          {
            pointer,
            message: `\`${name}\` is a ${kind} by its name, and none is kept.`,
            hint: 'Take another member, or leave this field out.'
          }
        ]
  })

/** Checks the texts that an expression writes literally. */
const checkWritten = (
  expression: Exclude<Expression, string>,
  pointer: Pointer,
  excepted: ReadonlySet<Form>
): EntryProblem[] =>
  [
    ...('const' in expression ? texts(expression.const) : []),
    ...Object.values(expression.values ?? {}).flatMap(texts),
    ...Object.values(expression.replace ?? {})
  ].flatMap((text): EntryProblem[] => {
    const form = withheldByForm(text, { excepted })
    return form === undefined
      ? []
      : [{ pointer, message: `\`${text}\` is ${form}, and none is kept.`, hint: 'Write another value.' }]
  })

/**
 * The context of an expression: its loops, the loops of the tables, and the named expressions. `excepted`: forms that
 * the field may hold.
 */
type CheckContext = Readonly<{
  origins: Origins
  tables: Readonly<Record<string, Origins>>
  named: Readonly<Record<string, Expression>>
  isSafe: IsSafe
  excepted: ReadonlySet<Form>
}>

/**
 * Checks where an expression gets its value. `isCut`: the whole value is never stored, because of a pattern or because
 * it is only a key or condition.
 */
function checkOrigin(
  expression: Exclude<Expression, string>,
  pointer: Pointer,
  around: CheckContext,
  isCut: boolean
): EntryProblem[] {
  const inner = (members: readonly Expression[], name: string): EntryProblem[] =>
    members.flatMap((one, index) => check(one, [...pointer, name, index], around, isCut))
  if ('use' in expression) {
    const at = [...pointer, 'use']
    const used = around.named[expression.use]
    return used === undefined ? [] : check(used, at, around, isCut).map(one => ({ ...one, pointer: at }))
  }
  if ('lookup' in expression) {
    return [
      ...check(expression.key, [...pointer, 'key'], around, true),
      ...checkPath(expression.path, [...pointer, 'path'], around.tables[expression.lookup] ?? new Map(), isCut)
    ]
  }
  if ('path' in expression) return checkPath(expression.path, [...pointer, 'path'], around.origins, isCut)
  if ('join' in expression) return inner(expression.join, 'join')
  return 'first' in expression ? inner(expression.first, 'first') : []
}

function check(expression: Expression, pointer: Pointer, around: CheckContext, isCut = false): EntryProblem[] {
  if (typeof expression === 'string') return checkPath(expression, pointer, around.origins, isCut)
  const { pattern, group = '' } = expression
  const cut = isCut || (pattern !== undefined && !letsThrough(pattern, group, around.isSafe))
  return [
    // A condition may depend on a text, since the text itself is not stored; it may not depend on a price.
    ...(expression.when === undefined ? [] : check(expression.when.value, [...pointer, 'when', 'value'], around, true)),
    ...checkChosen(expression, pointer, cut),
    ...checkWritten(expression, pointer, around.excepted),
    ...checkOrigin(expression, pointer, around, cut)
  ]
}

/** Reports the fields of a source that, by their names or literal values, hold something that is never stored. */
export function checkWithheld(
  { files, rows, tables = {}, sets, map, only_with: onlyWith, expressions: named = {}, exceptions = [] }: SourceReader,
  pointer: Pointer,
  isSafe: IsSafe
): EntryProblem[] {
  const around: CheckContext = {
    origins: originsOf(rows, files),
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, table]) => [name, originsOf(table.rows, [table.file])])
    ),
    named,
    isSafe,
    excepted: new Set()
  }
  const exceptedOf = (field: string): ReadonlySet<Form> =>
    new Set(exceptions.filter(one => one.field === field).map(exceptedForm))
  return [
    ...(onlyWith === undefined ? [] : check(onlyWith, [...pointer, 'only_with'], around, true)),
    ...expressionsOf(map).flatMap(([at, expression]) =>
      check(expression, [...pointer, 'map', ...at], { ...around, excepted: exceptedOf(fieldOf(at)) })
    ),
    ...(sets === undefined
      ? []
      : expressionsOf(sets.map).flatMap(([at, expression]) =>
          check(expression, [...pointer, 'sets', 'map', ...at], {
            origins: originsOf(sets.rows, sets.files),
            tables: {},
            named: {},
            isSafe,
            excepted: exceptedOf(`sets.${fieldOf(at)}`)
          })
        ))
  ]
}

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
