import type { JsonObject } from 'pantry/data'
import { languageOfField } from '../languages.ts'
import type { Expression } from '../source.ts'
import type { Sample } from './rows.ts'

/** Fields by the language that their names say. */
type ByLanguage = ReadonlyMap<string, string>

/** Returns the words of letters in a name, in lower case, such as `name` and `ja` in `nameJa`. */
export const wordsIn = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(word => word !== '')

const ownerOf = (path: string): string => path.split('.').slice(0, -1).join('.')
const lastOf = (path: string): string => path.split('.').at(-1) ?? ''

/** The share of rows whose text in a field has a letter, and the least share of different texts among them. */
const least = { letters: 0.9, different: 0.2 }

/** Whether the texts of a field may be names: words, of which most rows have others. */
function areNames({ texts }: Sample, path: string): boolean {
  const values = texts.flatMap(row => row.get(path) ?? [])
  return (
    values.filter(text => /\p{L}/u.test(text)).length >= values.length * least.letters &&
    new Set(values).size >= Math.max(2, values.length * least.different) &&
    values.reduce((sum, { length }) => sum + length, 0) < values.length * 80
  )
}

const byLanguage = (sample: Sample, languageOf: (path: string) => string | undefined): ByLanguage =>
  new Map(
    sample.fields.flatMap(({ path }) => {
      const tag = languageOf(path)
      return tag !== undefined && areNames(sample, path) ? [[tag, path] as const] : []
    })
  )

/** Returns the columns that are called as languages, if there are several, such as `en` and `ja`. */
export function namesInColumns(sample: Sample): ByLanguage {
  const loops = new Set(sample.steps.map(({ as }) => as))
  const columns = byLanguage(sample, path => (loops.has(ownerOf(path)) ? languageOfField(lastOf(path)) : undefined))
  return columns.size > 1 ? columns : new Map()
}

/** Returns the language that the name of a field says beside `name`, such as `ja` for `name_ja` and `frTitle`. */
function languageOfName(path: string): string | undefined {
  const words = wordsIn(lastOf(path)).filter(word => word !== 'card')
  const others = words.filter(word => word !== 'name' && word !== 'title')
  return words.length - others.length === 1 && others.length > 0 ? languageOfField(others.join('-')) : undefined
}

/** Returns the path of an object that has a name in each language, from the path of one of them. */
export function inLanguages(path: string | undefined, { fields }: Sample): string | undefined {
  const owner = ownerOf(path ?? '')
  const beside = fields.filter(one => one.path.startsWith(`${owner}.`)).map(one => one.path.slice(owner.length + 1))
  return owner.includes('.') && beside.length > 1 && beside.every(name => languageOfField(name) !== undefined)
    ? owner
    : undefined
}

/** Proposes the fields of a map for the name of a card and its translations, from the path of one of its names. */
export function namesOf(sample: Sample, name: string | undefined, language: string): JsonObject {
  if (name === undefined) return {}
  const owner = inLanguages(name, sample)
  if (owner !== undefined) return { name, name_translations: owner }
  const columns = namesInColumns(sample)
  const isColumn = [...columns.values()].includes(name)
  const names = isColumn
    ? columns
    : byLanguage(sample, path => (ownerOf(path) === ownerOf(name) ? languageOfName(path) : undefined))
  const own = isColumn ? (names.get(language) ?? name) : name
  const tag = [...names].find(([, path]) => path === own)?.[0]
  const others: Readonly<Record<string, Expression>> = Object.fromEntries([...names].filter(([, path]) => path !== own))
  return {
    name: own,
    ...(tag === undefined || tag === language ? {} : { name_lang: { const: tag } }),
    ...(Object.keys(others).length === 0 ? {} : { name_translations: { languages: others } })
  }
}
