import type { JsonObject } from 'pantry/data'
import { compileExpression } from '../reading/expression.ts'
import { languageTag } from './language-tag.ts'
import { asText } from '../reading/modifiers.ts'
import { findFields, type FoundFields, type WantedField } from './propose-map.ts'
import { rowsLooked, sampleOf, type Looked, type Sample, type RowSteps } from './propose-rows.ts'
import type { Expression } from '../source.ts'

/**
 * A proposal for other files of the folder: lookup tables, the map fields and translations read from them, and the list
 * of sets.
 */
type Beside = Readonly<{ tables: JsonObject; map: JsonObject; translations: JsonObject; sets?: JsonObject }>

const valuesOf = ({ texts }: Sample, path: string): ReadonlySet<string> =>
  new Set(texts.flatMap(row => row.get(path) ?? []))

/** Returns a field of the other file that is unique per row there and contains at least 80 % of the given values. */
function keyIn(other: Sample, values: ReadonlySet<string>): string | undefined {
  if (values.size === 0) return undefined
  return other.fields
    .filter(({ filled, distinct }) => filled === distinct)
    .map(({ path }) => path)
    .find(path => {
      const held = valuesOf(other, path)
      return [...values].filter(value => held.has(value)).length >= values.size * 0.8
    })
}

/** Returns the language named in a path, such as `fr` in `translations/fr/cards.json` or `cards.fr.json`. */
const languageOf = (path: string): string | undefined =>
  path
    .split(/[/.]/)
    .slice(0, -1)
    .reverse()
    .map(languageTag)
    .find(tag => tag !== undefined)

const placeOf = ({ file, steps }: Sample): JsonObject => ({ file, rows: steps })

type Given = Readonly<{
  looked: Looked
  sample: Sample
  found: FoundFields
  others: readonly Sample[]
  game: string
  set: Expression
}>

/**
 * Proposes lookup tables for the other files that describe sets, cards or translations; each is joined by a key that
 * the rows contain.
 */
export async function besideOf({ looked, sample, found, others, game, set }: Given): Promise<Beside> {
  const tables: Record<string, JsonObject> = {}
  const map: Record<string, JsonObject> = {}
  const translations: Record<string, JsonObject> = {}
  let sets: JsonObject | undefined
  const take = (table: string, key: Expression, other: FoundFields, field: WantedField): void => {
    if (found[field] === undefined && other[field] !== undefined && !(field in map))
      map[field] = { lookup: table, key: key, path: other[field] }
  }
  const links = sample.fields
    .filter(({ path, distinct }) => path !== set && distinct > 1 && /(?:id|code|key|slug|ref)$/i.test(path))
    .map(({ path }) => path)
  const readSet = compileExpression(set, { tables: new Map() })
  const setValues = new Set(sample.scopes.map(scope => asText(readSet(scope))).filter(text => text !== ''))
  for (const other of others) {
    const setKey = keyIn(other, setValues)
    const link =
      setKey === undefined ? links.find(path => keyIn(other, valuesOf(sample, path)) !== undefined) : undefined
    if (setKey === undefined && link === undefined) continue
    const as = setKey === undefined ? 'card' : 'set'
    const [{ key: keyName, ...outermost }] = other.steps
    const rows: RowSteps = [{ ...outermost, as, ...(keyName === undefined ? {} : { key: `${as}_key` }) }]
    const named = await sampleOf(looked, other.file, other.paths, rows, rowsLooked.last)
    const key = (setKey ?? keyIn(other, valuesOf(sample, link ?? '')) ?? '').replace(/^card(?=[._])/, as)
    const { found: theirs } = findFields(named)
    if (setKey !== undefined) {
      if (sets !== undefined || theirs.set_name === undefined) continue
      tables['sets'] = { ...placeOf(named), key }
      for (const field of ['set_name', 'released_on', 'declared_total'] as const) take('sets', set, theirs, field)
      sets = {
        files: [other.file],
        rows: rows as never,
        map: {
          game: { const: game },
          code: key,
          name: theirs.set_name,
          ...(theirs.released_on === undefined ? {} : { released_on: theirs.released_on }),
          ...(theirs.declared_total === undefined ? {} : { declared_total: theirs.declared_total })
        }
      }
      continue
    }
    if (link === undefined || theirs.name === undefined) continue
    const language = languageOf(other.file.path)
    if (found.name === undefined && !('name' in map) && language === undefined) {
      tables['cards'] = { ...placeOf(named), key }
      for (const field of ['name', 'rarity', 'illustrators'] as const) take('cards', link, theirs, field)
    } else if (
      language !== undefined &&
      !sample.file.path.includes('{lang}') &&
      languageOf(sample.file.path) !== language &&
      !(language in translations)
    ) {
      const table = `names_${language.replace('-', '_')}`
      tables[table] = { ...placeOf(named), key }
      translations[language] = { lookup: table, key: link, path: theirs.name }
    }
  }
  return { tables, map, translations, ...(sets === undefined ? {} : { sets }) }
}
