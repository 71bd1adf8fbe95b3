// Languages and countries as people choose them: by their English names.
import { invalid } from 'pantry/data'
import { languageName } from './words.ts'

/** A game as forms offer it. `curated`: whether it has a name here. */
export type NamedGame = Readonly<{ token: string; name: string; curated: boolean }>

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const pairs = letters.flatMap(first => letters.map(second => first + second))

/** Sorts by the name, and keeps the first code of each name. */
const byName = (named: readonly (readonly [code: string, name: string])[]): ReadonlyMap<string, string> => {
  const first = new Map(named.map(([code, name]) => [name, code] as const).reverse())
  return new Map(
    [...first].map(([name, code]) => [code, name] as const).sort(([, a], [, b]) => a.localeCompare(b, 'en'))
  )
}

/** Scripts and regions that cards are printed in, beside the languages of two letters. */
const variants = ['pt-BR', 'zh-Hans', 'zh-Hant']

/** The languages that have a code of two letters (ISO 639-1): the English name by the tag. */
export const languageNames = byName(
  [...pairs.filter(tag => Intl.getCanonicalLocales(tag)[0] === tag && languageName(tag) !== tag), ...variants].map(
    tag => [tag, languageName(tag)]
  )
)

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
/** Codes with a name that are reserved or group others, so that they are none of ISO 3166-1. */
const noCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '))

/** Countries and territories (ISO 3166-1): the English name by the code of two letters. */
export const countryNames = byName(
  pairs
    .map(pair => pair.toUpperCase())
    // A code that was withdrawn stands for the one that replaced it (ECMA-402 §6.2.3).
    .filter(code => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap(code => {
      const name = regions.of(code)
      return name === undefined ? [] : [[code, name] as const]
    })
)

export const countryName = (code: string): string => countryNames.get(code) ?? code

let known: ReadonlyMap<string, string> | undefined

/** Returns the tags of languages by their names in lower case: the English name, and that in the language itself. */
function tagsByName(): ReadonlyMap<string, string> {
  known ??= new Map(
    [...languageNames].flatMap(([tag, name]) => {
      const own = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? name
      return [own, name, tag].map(one => [one.toLowerCase(), tag] as const)
    })
  )
  return known
}

/** Returns the name of a language as a form shows it, so that `languageTags` reads it as the same. */
export const writtenLanguage = (tag: string): string => languageNames.get(tag) ?? `${languageName(tag)} (${tag})`

const tagForm = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i

/** Returns the tag of a language that is named as people, `writtenLanguage` or programs (BCP 47) name it. */
function tagOf(name: string): string | undefined {
  const known = tagsByName().get(name.toLowerCase())
  if (known !== undefined) return known
  const given = name.endsWith(')') ? name.slice(name.lastIndexOf('(') + 1, -1) : name
  const tag = tagForm.test(given) && languageName(given) !== given ? Intl.getCanonicalLocales(given)[0] : undefined
  const isSame = tag !== undefined && (given === name || writtenLanguage(tag).toLowerCase() === name.toLowerCase())
  return isSame ? tag : undefined
}

/**
 * Returns the tags of languages that were chosen or typed by name, or as tags (BCP 47), several in one text with commas
 * between them. Empty texts are left out. Throws a 400 at `<field>.<place>` for a text that names no language.
 */
export function languageTags(field: string, texts: readonly string[]): readonly string[] {
  const tags = texts.flatMap((text, place) =>
    // A name may have a comma of its own.
    (tagOf(text.trim()) === undefined ? text.split(/[,;]/) : [text])
      .map(part => part.trim())
      .filter(name => name !== '')
      .map(name => {
        const tag = tagOf(name)
        if (tag !== undefined) return tag
        throw invalid(
          `${field}.${place}`,
          `Choose a language by its name, such as Dutch: \`${name.slice(0, 60)}\` names no language.`
        )
      })
  )
  return [...new Set(tags)]
}
