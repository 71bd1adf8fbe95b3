import type { JsonObject, JsonValue } from 'pantry/data'
import {
  cardFields,
  fieldsMergedBy,
  productKinds,
  type CardFacts,
  type CardField,
  type Face
} from '../../cards/card-fields.ts'
import { buildSku, isLanguageTag, SkuError } from '../../cards/sku.ts'
import type { Attribute } from '../../cards/attributes.ts'
import {
  attributeChecker,
  Exceptions,
  keepTexts,
  releaseDate,
  RowProblem,
  typedValue,
  type Keep,
  type WithheldValue
} from './kept-values.ts'
import {
  compileExpression,
  type ExpressionContext,
  type CompiledExpression,
  type ExpressionScope
} from './expression.ts'
import type { Expression, FieldMap } from '../source.ts'
import { tagProblem } from '../languages.ts'
import type { OddValue } from './odd-attributes.ts'
import { isBareNumber } from '../withheld.ts'

/** The facts that an upstream states about the set of a card. */
export type SetStatement = Readonly<{
  name: string | null
  name_translations: JsonObject | null
  released_on: string | null
  released_note: string | null
  declared_total: number | null
}>

/**
 * The fields that are stored of one row of an upstream, by the names of `cardFields`, and what the row says of its set.
 */
export type MappedRow = Omit<CardFacts, 'sku' | 'sources'> & Readonly<{ set: SetStatement }>

export type Mapped = Readonly<{
  nativeId: string
  sku: string
  row: MappedRow
  /** The attributes that the row is kept without, because their values are not allowed. */
  odd?: readonly OddValue[]
}>
/** A row that is left out, with the reason. */
export type Rejected = Readonly<{
  nativeId: string
  reason: string
  /** The value that must not be stored, when such a value is the reason. */
  withheld?: WithheldValue
}>

/** The games, languages and attributes that a source declares and its rows must match. */
export type RowRules = Readonly<{
  games?: readonly string[]
  languages?: readonly string[]
  attributes?: readonly Attribute[] | undefined
}>

function refuse(field: string, reason: string): never {
  throw new RowProblem(field, reason)
}

const list = ({ word }: Keep, field: string, value: JsonValue): string[] | null => {
  const members = (Array.isArray(value) ? (value as readonly JsonValue[]) : [value])
    .map(member => word(field, member))
    .filter(member => member !== null)
  return members.length === 0 ? null : members
}

/**
 * Applies `keep` to each member of an object and returns an object of the results that are not null, with member names
 * changed by `rename`; null when none is left.
 */
function members(
  value: JsonValue,
  keep: (name: string, member: JsonValue) => JsonValue,
  rename?: (name: string) => string
): JsonObject | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const kept: Record<string, JsonValue> = {}
  let isEmpty = true
  for (const name of Object.keys(value)) {
    const result = keep(name, (value as JsonObject)[name] ?? null)
    if (result === null) continue
    kept[rename === undefined ? name : rename(name)] = result
    isEmpty = false
  }
  return isEmpty ? null : kept
}

/** Accepts scalars and lists of texts as the value of an attribute. */
function attributeOf(keep: Keep, field: string, value: JsonValue): JsonValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : refuse(field, `\`${field}\` is a number that is not finite.`)
  return Array.isArray(value) ? list(keep, field, value) : keep.text(field, value)
}

type Declared = ReadonlyMap<string, Readonly<{ attribute: Attribute; problemOf: ReturnType<typeof attributeChecker> }>>

/**
 * Returns the attributes of a row converted to their declared types. One with a value that its declaration does not
 * allow is left out, and `leaveOut` is called. Throws a RowProblem for a value that may never be stored.
 */
const attributesOf = (
  keep: Keep,
  value: JsonValue,
  declared: Declared,
  game: string,
  leaveOut: (odd: OddValue) => void,
  field = 'attributes'
): JsonObject | null =>
  members(value, (name, member) => {
    const problem = (reason: string): null => {
      leaveOut({ attribute: name, reason, value: typeof member === 'string' ? member : JSON.stringify(member) })
      return null
    }
    try {
      const given = attributeOf(keep, `${field}.${name}`, member)
      const found = declared.get(name)
      if (found === undefined) return given
      const kept = typedValue(given, found.attribute)
      const reason = found.problemOf(kept, game)
      return reason === undefined ? kept : problem(reason)
    } catch (error) {
      if (error instanceof RowProblem && error.withheld === undefined) return problem(error.message)
      throw error
    }
  })

const lower = (text: string): string => text.toLowerCase()

/** Returns texts by lowercase language tag. */
const translations = ({ word }: Keep, field: string, value: JsonValue): JsonObject | null =>
  members(
    value,
    (name, member) =>
      typeof member === 'string' && isLanguageTag(lower(name)) ? word(`${field}.${name}`, member) : null,
    lower
  )

/**
 * Returns a value that is a count of cards; null for anything else, such as a number long enough to be a product id.
 */
export const countOf = (value: JsonValue): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && !isBareNumber(String(value)) ? value : null

/** Returns the product that a printing came in; null where neither its name nor its code is known. */
function productOf({ word }: Keep, field: string, value: JsonValue): JsonObject | null {
  const product = members(value, (name, member) => word(`${field}.${name}`, member))
  if (product === null || !('name' in product || 'code' in product)) return null
  return productKinds.some(kind => kind === product['kind'])
    ? product
    : refuse(`${field}.kind`, `\`${field}.kind\` must be one of ${productKinds.join(', ')}.`)
}

/**
 * Card fields that are copied from their expression. The other fields are the parts of the SKU, the names and the
 * attributes.
 */
const plainFields = fieldsMergedBy('first').filter(field => field !== 'faces')
const keepersOf = (
  keep: Keep
): Readonly<Record<Exclude<CardField['type'], 'faces'>, (field: string, value: JsonValue) => JsonValue>> => {
  const texts = (field: string, value: JsonValue): JsonValue => list(keep, field, value)
  return {
    word: keep.needed,
    text: keep.word,
    texts,
    labels: texts,
    count: (_, value) => countOf(value),
    members: (field, value) => productOf(keep, field, value)
  }
}

/**
 * Compiles a field map into a function that maps one row, or returns the reason why the row is left out. Rows with a
 * game or language that `rules` do not allow are left out, and so are rows with values that may never be stored, except
 * those that `exceptions` allow. A row with an attribute that `rules` do not allow is kept without the attribute.
 */
export function compileMap(
  map: FieldMap,
  named: ExpressionContext,
  { games, languages, attributes = [] }: RowRules = {},
  exceptions = new Exceptions()
): (scope: ExpressionScope) => Mapped | Rejected {
  const keep = keepTexts(exceptions)
  const { word, needed } = keep
  const keepers = keepersOf(keep)
  const compile = (expression: Expression | undefined): CompiledExpression =>
    expression === undefined ? () => null : compileExpression(expression, named)
  const compileObject = (expressions: Readonly<Record<string, Expression>> = {}): CompiledExpression => {
    // Sorted by name, because the canonical text needs a fixed order.
    const reads = Object.keys(expressions)
      .sort()
      .map(name => [name, compile(expressions[name])] as const)
    return scope => {
      const values: Record<string, JsonValue> = {}
      for (const [name, read] of reads) values[name] = read(scope)
      return values
    }
  }
  const compileNames = (names: FieldMap['name_translations']): CompiledExpression =>
    typeof names === 'object' && 'languages' in names ? compileObject(names.languages) : compile(names)

  const nativeId = compile(map.native_id)
  const game = compile(map.game)
  const setCode = compile(map.set_code)
  const number = compile(map.number)
  const skuNumber = compile(map.sku_number ?? map.number)
  const lang = compile(map.lang)
  const variant = compile(map.variant)
  const name = compile(map.name)
  const nameLang = map.name_lang === undefined ? undefined : compile(map.name_lang)
  const nameTranslations = compileNames(map.name_translations)
  const plain = plainFields.map(field => ({
    field,
    read: field === 'printed_in' ? compileObject(map[field]) : compile(map[field]),
    keep: keepers[cardFields[field].type]
  }))
  const declared: Declared = new Map(
    attributes.map(attribute => [attribute.name, { attribute, problemOf: attributeChecker(attribute) }])
  )
  const readAttributes = compileObject(map.attributes)
  const faces = (map.faces ?? []).map(face => ({
    side: compile(face.side),
    name: compile(face.name),
    attributes: compileObject(face.attributes)
  }))
  const setName = compile(map.set_name)
  const setNameTranslations = compileNames(map.set_name_translations)
  const releasedOn = compile(map.released_on)
  const declaredTotal = compile(map.declared_total)

  function setStatement(scope: ExpressionScope): SetStatement {
    const released = releaseDate(releasedOn(scope))
    return {
      name: word('set_name', setName(scope)),
      name_translations: translations(keep, 'set_name_translations', setNameTranslations(scope)),
      released_on: released.on,
      released_note: word('released_on', released.note),
      declared_total: countOf(declaredTotal(scope))
    }
  }

  /** Returns the name and its translations, which include the name itself under its declared language. */
  function namesOf(scope: ExpressionScope, printed: string): Pick<MappedRow, 'name' | 'name_translations'> {
    const own = word('name', name(scope))
    const others = translations(keep, 'name_translations', nameTranslations(scope))
    if (own === null) return { name: null, name_translations: others }
    const language = nameLang === undefined ? printed : needed('name_lang', nameLang(scope)).toLowerCase()
    if (!isLanguageTag(language))
      throw new RowProblem('name_lang', '`name_lang` must be a language tag such as `en` or `zh-hans`.')
    return { name: own, name_translations: { ...others, [language]: own } }
  }

  /** Returns the faces with a name or an attribute; null where there are fewer than two. */
  function facesOf(scope: ExpressionScope, game: string, leaveOut: (odd: OddValue) => void): readonly Face[] | null {
    const kept = faces
      .map(face => ({
        side: word('faces.side', face.side(scope)),
        name: word('faces.name', face.name(scope)),
        attributes: attributesOf(keep, face.attributes(scope), declared, game, leaveOut, 'faces.attributes')
      }))
      .filter(({ name, attributes }) => name !== null || attributes !== null)
    return kept.length < 2 ? null : kept
  }

  function mapRow(scope: ExpressionScope, native: string): Mapped {
    const of = needed('game', game(scope))
    const set = needed('set_code', setCode(scope))
    const printed = needed('number', number(scope))
    const language = needed('lang', lang(scope)).toLowerCase()
    if (games?.includes(of) === false) refuse('game', `\`game\` is \`${of}\`, which the source does not declare.`)
    if (isLanguageTag(language) && languages?.includes(language) === false)
      refuse(
        'lang',
        [`\`lang\` is \`${language}\`, which the source does not declare.`, tagProblem(language) ?? ''].join(' ').trim()
      )
    const printing = word('variant', variant(scope)) ?? ''
    const sku = buildSku({
      game: of,
      set,
      number: needed(map.sku_number === undefined ? 'number' : 'sku_number', skuNumber(scope)),
      lang: language,
      variant: printing
    })
    const names = namesOf(scope, language)
    const row: Record<string, JsonValue> = {
      game: of,
      set_code: set,
      card_number: printed,
      lang: language,
      variant: printing,
      name: names.name,
      name_translations: names.name_translations
    }
    for (const { field, read, keep } of plain) row[field] = keep(field, read(scope))
    let odd: OddValue[] | undefined
    const leaveOut = (one: OddValue): void => {
      odd = [...(odd ?? []), one]
    }
    row['attributes'] = attributesOf(keep, readAttributes(scope), declared, of, leaveOut)
    row['faces'] = facesOf(scope, of, leaveOut)
    row['set'] = setStatement(scope)
    const mapped = { nativeId: native, sku, row: row as MappedRow }
    return odd === undefined ? mapped : { ...mapped, odd }
  }

  return scope => {
    let native = ''
    try {
      native = needed('native_id', nativeId(scope))
      return mapRow(scope, native)
    } catch (error) {
      if (error instanceof RowProblem)
        return {
          nativeId: native,
          reason: error.message,
          ...(error.withheld === undefined ? {} : { withheld: error.withheld })
        }
      if (error instanceof SkuError) return { nativeId: native, reason: error.message }
      throw error
    }
  }
}
