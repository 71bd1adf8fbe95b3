import type { EntryProblem } from 'pantry/data'
import { fieldsMergedBy } from '../../cards/card-fields.ts'
import { loopNames, pathsOf, stepsOf } from '../reading/expression.ts'
import { shapes } from '../reading/shapes.ts'
import type {
  Expression,
  FieldMap,
  FileOfSource,
  MemberPath,
  Modifiers,
  RowStep,
  SetsDeclaration,
  SourceReader
} from '../source.ts'
import { unsafeHint, type IsSafe } from './patterns.ts'

type Pointer = EntryProblem['pointer']
type Place = readonly [pointer: Pointer, expression: Expression]

type Group = Readonly<Record<string, Expression>>

/**
 * Returns all expressions of a map, including those in attributes, translations, the product and the faces, with their
 * pointers relative to the map.
 */
export const expressionsOf = (map: FieldMap | SetsDeclaration['map']): readonly Place[] =>
  Object.entries(map).flatMap(([name, value]): Place[] => {
    const within = (group: Group, ...at: Pointer): Place[] =>
      Object.entries(group).map(([member, expression]) => [[...at, member], expression])
    if (name === 'faces')
      return (value as NonNullable<FieldMap['faces']>).flatMap(({ attributes = {}, ...plain }, index) => [
        ...within(plain, name, index),
        ...within(attributes, name, index, 'attributes')
      ])
    if (name === 'attributes' || name === 'printed_in') return within(value as Group, name)
    const one = value as NonNullable<FieldMap['name_translations']>
    return typeof one === 'object' && 'languages' in one ? within(one.languages, name, 'languages') : [[[name], one]]
  })

/**
 * Returns the name of the field at a pointer into the map, such as `attributes.cost`, `name_translations.en` or
 * `faces.name`.
 */
export const fieldOf = (at: Pointer): string =>
  at.filter(part => part !== 'languages' && typeof part !== 'number').join('.')

/**
 * The names that a path may start with, those for paths into each table, and the named expressions that an expression
 * may use.
 */
type Known = Readonly<{
  names: readonly string[]
  tables: Readonly<Record<string, readonly string[]>>
  expressions?: readonly string[]
}>

const list = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ') || 'none'

function checkPath(path: MemberPath, names: readonly string[], pointer: Pointer): EntryProblem[] {
  const [name = ''] = stepsOf(path)
  return names.includes(name)
    ? []
    : [{ pointer, message: `There is no loop \`${name}\`.`, hint: `A path starts with one of ${list(names)}.` }]
}

function checkPattern({ pattern, group = '' }: Modifiers, pointer: Pointer, isSafe: IsSafe): EntryProblem[] {
  if (pattern === undefined) return []
  const at = [...pointer, 'pattern']
  let groups: readonly string[]
  try {
    // The added empty alternative always matches, and the match object then has the names of all groups.
    groups = Object.keys(new RegExp(`${pattern}|`, 'u').exec('')?.groups ?? {})
  } catch (error) {
    return [
      {
        pointer: at,
        message: error instanceof Error ? `${error.message}.` : String(error),
        hint: 'Write a regular expression of JavaScript with the flag `u`.'
      }
    ]
  }
  if (!groups.includes(group))
    return [
      {
        pointer: [...pointer, 'group'],
        message: `The pattern \`${pattern}\` has no group \`${group}\`.`,
        hint: `Its groups: ${list(groups)}. A group is written \`(?<${group}>…)\`.`
      }
    ]
  return isSafe(pattern)
    ? []
    : [
        {
          pointer: at,
          message: 'The pattern can backtrack without bound, or cannot be shown not to.',
          hint: unsafeHint(pattern, isSafe)
        }
      ]
}

function checkModifiers({ format }: Modifiers, pointer: Pointer): EntryProblem[] {
  return format === undefined ||
    /^[^DMY]*(?:D[^DMY]*M[^DMY]*Y|M[^DMY]*D[^DMY]*Y|Y[^DMY]*M[^DMY]*D)[^DMY]*$/u.test(format)
    ? []
    : [
        {
          pointer: [...pointer, 'format'],
          message: `\`${format}\` is no form of dates.`,
          hint: 'Write `D`, `M` and `Y` once each for day, month and year, and what is between them: `D/M/Y`.'
        }
      ]
}

function checkExpression(expression: Expression, pointer: Pointer, known: Known, isSafe: IsSafe): EntryProblem[] {
  if (typeof expression === 'string') return checkPath(expression, known.names, pointer)
  const inner = (member: Expression, ...more: Pointer): EntryProblem[] =>
    checkExpression(member, [...pointer, ...more], known, isSafe)
  const own = [
    ...checkModifiers(expression, pointer),
    ...checkPattern(expression, pointer, isSafe),
    ...(expression.when === undefined ? [] : inner(expression.when.value, 'when', 'value'))
  ]
  if ('use' in expression) {
    const { expressions = [] } = known
    return expressions.includes(expression.use)
      ? own
      : [
          {
            pointer: [...pointer, 'use'],
            message: `There is no expression \`${expression.use}\` here.`,
            hint: `Those above it, and in a map all: ${list(expressions)}.`
          },
          ...own
        ]
  }
  if ('lookup' in expression) {
    const { lookup, key, path } = expression
    const names = known.tables[lookup]
    return names === undefined
      ? [
          {
            pointer: [...pointer, 'lookup'],
            message: `There is no table \`${lookup}\`.`,
            hint: `Declared: ${list(Object.keys(known.tables))}.`
          },
          ...own
        ]
      : [...inner(key, 'key'), ...checkPath(path, names, [...pointer, 'path']), ...own]
  }
  if ('path' in expression) return [...checkPath(expression.path, known.names, [...pointer, 'path']), ...own]
  if ('join' in expression) return [...expression.join.flatMap((member, index) => inner(member, 'join', index)), ...own]
  if ('first' in expression)
    return [...expression.first.flatMap((member, index) => inner(member, 'first', index)), ...own]
  return own
}

const namesIn = (steps: readonly RowStep[]): readonly string[] => ['file', ...loopNames(steps)]

function checkLoops(steps: readonly RowStep[], pointer: Pointer): EntryProblem[] {
  return steps.flatMap((step, index) => {
    const { each, split, otherwise } = step
    const at = [...pointer, index]
    if (index === 0)
      return each === undefined && split === undefined
        ? []
        : [
            {
              pointer: [...at, each === undefined ? 'split' : 'each'],
              message: 'The outermost loop runs over the document itself.',
              hint: 'Say with `at` of the file where in the document the rows are.'
            }
          ]
    return each === undefined
      ? [
          {
            pointer: at,
            message: 'An inner loop needs `each`.',
            hint: `A path that starts with one of ${list(namesIn(steps.slice(0, index)))}.`
          }
        ]
      : [
          ...pathsOf(step).flatMap(path => checkPath(path, namesIn(steps.slice(0, index)), [...at, 'each'])),
          ...(otherwise === undefined ? [] : checkPath(otherwise, namesIn(steps.slice(0, index)), [...at, 'otherwise']))
        ]
  })
}

/** File fields that only some shapes support. */
const shapedFields = [...new Set(Object.values(shapes).flatMap(({ fields }): readonly string[] => fields))]
const shapesWith = (field: string): string[] =>
  Object.entries(shapes)
    .filter(([, { fields }]) => (fields as readonly string[]).includes(field))
    .map(([shape]) => shape)

/**
 * Checks the wildcards of file paths. Several wildcards (`*` or `{word}`) in one path segment would make matching take
 * polynomial time in the length of the name, so only two are allowed.
 */
function checkPlaces({ path, except = [] }: FileOfSource, pointer: Pointer): EntryProblem[] {
  const words = path.match(/\{[a-z_]+\}/g) ?? []
  return [
    ...(new Set(words).size === words.length
      ? []
      : [
          {
            pointer: [...pointer, 'path'],
            message: `\`${path}\` names one word twice.`,
            hint: 'Give each its own name.'
          }
        ]),
    ...[path, ...except]
      .filter(one => one.split('/').some(part => (part.match(/\*|\{/g) ?? []).length > 2))
      .map(one => ({
        pointer: [...pointer, one === path ? 'path' : 'except'],
        message: `A part of \`${one}\` has more than two of \`*\` and \`{…}\`.`,
        hint: 'Two are enough to tell the names of one folder apart.'
      }))
  ]
}

function checkFile(file: FileOfSource, pointer: Pointer): EntryProblem[] {
  if (!(file.shape in shapes))
    return [
      {
        pointer: [...pointer, 'shape'],
        message: `There is no shape \`${file.shape}\`.`,
        hint: `Shapes: ${list(Object.keys(shapes))}.`
      }
    ]
  const wrong = [
    ...shapedFields
      .filter(field => field in file && !shapesWith(field).includes(file.shape))
      .map(field => ({
        pointer: [...pointer, field],
        message: `\`${field}\` has no meaning for the shape \`${file.shape}\`.`,
        hint: `It belongs to ${list(shapesWith(field))}.`
      })),
    ...checkPlaces(file, pointer)
  ]
  return file.at !== undefined && file.single === true
    ? [
        ...wrong,
        {
          pointer: [...pointer, 'at'],
          message: '`at` has no meaning for a document that is one row.',
          hint: 'Drop `at` or `single`.'
        }
      ]
    : wrong
}

/** The fields of a map that have one expression each. */
const mapNames: readonly string[] = [
  'native_id',
  'game',
  'set_code',
  'set_name',
  'released_on',
  'declared_total',
  'number',
  'sku_number',
  'name',
  'name_lang',
  'lang',
  'variant',
  ...fieldsMergedBy('first').filter(field => field !== 'printed_in' && field !== 'faces')
]
/** Fields that hold several expressions by name; translations may also be one expression. */
const groupNames: readonly string[] = [
  'attributes',
  'printed_in',
  'faces',
  'name_translations',
  'set_name_translations'
]

function checkMap(map: FieldMap, pointer: Pointer, known: Known, isSafe: IsSafe): EntryProblem[] {
  const strangers = Object.keys(map).filter(name => !mapNames.includes(name) && !groupNames.includes(name))
  if (strangers.length > 0)
    return strangers.map(name => ({
      pointer: [...pointer, name],
      message: `A card has no field \`${name}\`.`,
      hint: `Fields: ${list(mapNames)}.`
    }))
  return expressionsOf(map).flatMap(([at, expression]) =>
    checkExpression(expression, [...pointer, ...at], known, isSafe)
  )
}

function checkSets({ files, rows, map }: SetsDeclaration, pointer: Pointer, isSafe: IsSafe): EntryProblem[] {
  const known: Known = { names: namesIn(rows), tables: {} }
  return [
    ...files.flatMap((file, index) => checkFile(file, [...pointer, 'files', index])),
    ...checkLoops(rows, [...pointer, 'rows']),
    ...expressionsOf(map).flatMap(([at, expression]) =>
      checkExpression(expression, [...pointer, 'map', ...at], known, isSafe)
    )
  ]
}

/**
 * Checks what a schema cannot, such as loops, tables and expressions that do not exist, invalid or unsafe patterns, and
 * file fields that belong to another shape.
 */
export function checkReader(reader: SourceReader, pointer: Pointer, isSafe: IsSafe): EntryProblem[] {
  const tables = Object.entries(reader.tables ?? {})
  const own = Object.keys(reader.expressions ?? {})
  const known: Known = {
    names: namesIn(reader.rows),
    tables: Object.fromEntries(tables.map(([name, { rows }]) => [name, namesIn(rows)])),
    expressions: own
  }
  return [
    ...reader.files.flatMap((file, index) => checkFile(file, [...pointer, 'files', index])),
    ...checkLoops(reader.rows, [...pointer, 'rows']),
    ...tables.flatMap(([name, { file, rows, key }]) => {
      const at = [...pointer, 'tables', name]
      return [
        ...checkFile(file, [...at, 'file']),
        ...checkLoops(rows, [...at, 'rows']),
        ...checkExpression(key, [...at, 'key'], { names: namesIn(rows), tables: {} }, isSafe)
      ]
    }),
    ...(reader.sets === undefined ? [] : checkSets(reader.sets, [...pointer, 'sets'], isSafe)),
    ...Object.entries(reader.expressions ?? {}).flatMap(([name, expression]) =>
      checkExpression(
        expression,
        [...pointer, 'expressions', name],
        { ...known, expressions: own.slice(0, own.indexOf(name)) },
        isSafe
      )
    ),
    ...(reader.only_with === undefined
      ? []
      : checkExpression(reader.only_with, [...pointer, 'only_with'], known, isSafe)),
    ...checkMap(reader.map, [...pointer, 'map'], known, isSafe)
  ]
}
