import type { EntryProblem, JsonValue } from 'pantry/data'
import { stepsOf } from '../reading/expression.ts'
import { asText } from '../reading/modifiers.ts'
import { pathsOf } from '../reading/rows.ts'
import type { Expression, Modifiers, Path, Reader, RowStep, SourceFile } from '../source.ts'
import { mayBeCut, withheldByForm, withheldByName } from '../withheld.ts'
import { expressionsOf } from './expressions-of.ts'

type Pointer = EntryProblem['pointer']
/** What each loop runs over, as names from the document on; its keys are of the same. */
type Origins = ReadonlyMap<string, readonly string[]>

const originsOf = (steps: readonly RowStep[], files: readonly SourceFile[]): Origins => {
  const origins = new Map<string, readonly string[]>([['file', []]])
  for (const step of steps) {
    const names = step.each === undefined ? files.flatMap(({ at }) => at?.split('.') ?? []) : pathsOf(step).flatMap(path => namesOf(path, origins))
    for (const name of [step.as, step.key]) if (name !== undefined) origins.set(name, names)
  }
  return origins
}

/** The names of an upstream that a path follows: the loop at its start counts as what it runs over. */
function namesOf (path: Path, origins: Origins): readonly string[] {
  const [loop = '', ...names] = stepsOf(path)
  return [...origins.get(loop) ?? [], ...names]
}

function checkPath (path: Path, pointer: Pointer, origins: Origins, isCut: boolean): EntryProblem[] {
  for (const name of namesOf(path, origins)) {
    const kind = withheldByName(name)
    if (kind === undefined || (isCut && mayBeCut(kind))) continue
    return [{
      pointer, message: `\`${stepsOf(path).join('.')}\` is a ${kind} by its name, and none is kept.`,
      hint: mayBeCut(kind) ? 'Where it alone holds a number or a keyword, take that out with `pattern` and `group`.' : 'Map another field, or leave this one out.'
    }]
  }
  return []
}

const texts = (value: JsonValue): readonly string[] => typeof value === 'object' ? [] : [asText(value)]

/** What the group of a pattern must not take, whatever the pattern has around it: names of pictures, links, and words of a sentence. */
const wholes = ['abc-001.png', 'images/abc-001.png', 'img.example/abc-001', 'https://img.example/abc-001.png', 'Draw two cards', 'Draw two cards, then discard one card.', 'Draw two cards, then discard one card']

/** What is written within a named group. */
function groupText (pattern: string, group: string): string {
  const start = pattern.indexOf(`(?<${group}>`) + group.length + 4
  let depth = 1
  let inClass = false
  for (let at = start; at < pattern.length; at++) {
    const sign = pattern[at]
    if (sign === '\\') at++
    else if (inClass) inClass = sign !== ']'
    else if (sign === '[') inClass = true
    else if (sign === '(') depth++
    else if (sign === ')' && --depth === 0) return pattern.slice(start, at)
  }
  return ''
}

type IsSafe = (pattern: string) => boolean

/** What is no safe pattern is told as that, and not tried. */
function letsThrough (pattern: string, group: string, isSafe: IsSafe): boolean {
  try {
    const form = new RegExp(`^(?:${groupText(pattern, group)})$`, 'u')
    return isSafe(pattern) && wholes.some(whole => form.test(whole))
  } catch {
    return false
  }
}

/** The names among the members of a list that an expression takes one of. */
const chosenNames = ({ where = {}, take }: Modifiers): readonly string[] => [...(take === undefined ? [] : [take]), ...Object.values(where).flatMap(texts)]

/** Loops of the tables, and expressions with a name. */
type Beside = Readonly<{ isSafe: IsSafe, tables: Readonly<Record<string, Origins>>, named: Readonly<Record<string, Expression>> }>

/** Walks an expression; `isCut`: a pattern around it, or one that leads to a row, lets nothing whole through. */
function check (expression: Expression, pointer: Pointer, origins: Origins, beside: Beside, isCut = false): EntryProblem[] {
  if (typeof expression === 'string') return checkPath(expression, pointer, origins, isCut)
  const { tables, named } = beside
  const { pattern, group = '' } = expression
  const cut = isCut || (pattern !== undefined && !letsThrough(pattern, group, beside.isSafe))
  const chosen = chosenNames(expression).flatMap((name): EntryProblem[] => {
    const kind = withheldByName(name)
    return kind === undefined || (cut && mayBeCut(kind)) ? [] : [{ pointer, message: `\`${name}\` is a ${kind} by its name, and none is kept.`, hint: 'Take another member, or leave this field out.' }]
  })
  const inner = (members: readonly Expression[], name: string): EntryProblem[] => members.flatMap((one, index) => check(one, [...pointer, name, index], origins, beside, cut))
  // What a value depends on may be a text, of which nothing is told; a price would be.
  const condition = expression.when === undefined ? [] : check(expression.when.value, [...pointer, 'when', 'value'], origins, beside, true)
  const written = [...condition, ...chosen, ...[...('const' in expression ? texts(expression.const) : []), ...Object.values(expression.values ?? {}).flatMap(texts), ...Object.values(expression.replace ?? {})]
    .flatMap((text): EntryProblem[] => {
      const form = withheldByForm(text)
      return form === undefined ? [] : [{ pointer, message: `\`${text}\` is ${form}, and none is kept.`, hint: 'Write another value.' }]
    })]
  if ('use' in expression) {
    const used = named[expression.use]
    return used === undefined ? written : [...written, ...check(used, [...pointer, 'use'], origins, beside, cut).map(one => ({ ...one, pointer: [...pointer, 'use'] }))]
  }
  if ('lookup' in expression) {
    return [...written, ...check(expression.key, [...pointer, 'key'], origins, beside, true), ...checkPath(expression.path, [...pointer, 'path'], tables[expression.lookup] ?? new Map(), cut)]
  }
  if ('path' in expression) return checkPath(expression.path, [...pointer, 'path'], origins, cut).concat(written)
  if ('join' in expression) return [...written, ...inner(expression.join, 'join')]
  return 'first' in expression ? [...written, ...inner(expression.first, 'first')] : written
}

/** Fields of a source that say by their names, or by a value that is written out, that they hold what is never kept. */
export function checkWithheld ({ files, rows, tables = {}, sets, map, only_with: onlyWith, expressions: named = {} }: Reader, pointer: Pointer, isSafe: IsSafe): EntryProblem[] {
  const ofTables = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, originsOf(table.rows, [table.file])]))
  const origins = originsOf(rows, files)
  return [
    ...(onlyWith === undefined ? [] : check(onlyWith, [...pointer, 'only_with'], origins, { isSafe, tables: ofTables, named }, true)),
    ...expressionsOf(map).flatMap(([at, expression]) => check(expression, [...pointer, 'map', ...at], origins, { isSafe, tables: ofTables, named })),
    ...(sets === undefined ? [] : expressionsOf(sets.map).flatMap(([at, expression]) => check(expression, [...pointer, 'sets', 'map', ...at], originsOf(sets.rows, sets.files), { isSafe, tables: {}, named: {} })))
  ]
}
