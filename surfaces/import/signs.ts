/** Signs of a wrong declaration that no field shows alone: they are in what several rows or fields say together. */
import type { JsonValue } from 'pantry/data'
import { tagProblem } from './languages.ts'
import type { Mapped } from './reading/map-row.ts'

/** What looks wrong, by the field of the map. */
export type Doubts = ReadonlyMap<string, string>

/** The most different values that are remembered of one thing, such as the names of one set. */
const maxRemembered = 50_000
const maxShown = 3

const quoted = (texts: Iterable<unknown>): string => {
  const all = [...texts]
  return `${all
    .slice(0, maxShown)
    .map(text => `\`${String(text)}\``)
    .join(', ')}${all.length > maxShown ? ', …' : ''}`
}

/** The different values that the rows give for each key. */
class ValuesOf {
  private readonly found = new Map<string, Set<unknown>>()

  see(key: string, value: unknown): void {
    if (value === null || value === undefined) return
    const values = this.found.get(key)
    if (values !== undefined && values.size < maxRemembered) values.add(value)
    else if (values === undefined && this.found.size < maxRemembered) this.found.set(key, new Set([value]))
  }

  /** Returns the keys that have several values, with them. */
  several(): readonly (readonly [key: string, values: ReadonlySet<unknown>])[] {
    return [...this.found].filter(([, values]) => values.size > 1)
  }
}

/** Returns a doubt that names the first key with several values, and how many other keys have several. */
function severalDoubt(seen: ValuesOf, what: string): string | undefined {
  const keys = seen.several()
  const [first] = keys
  if (first === undefined) return undefined
  const more = keys.length === 1 ? '' : `; so have ${keys.length - 1} more`
  return `\`${first[0].split(' ')[0] ?? ''}\` has ${first[1].size} ${what}: ${quoted(first[1])}${more}`
}

/** The scripts of languages that are written in several, or in one that Unicode calls otherwise (ISO 15924). */
const scripts: Readonly<Record<string, string>> = {
  Jpan: '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]',
  Kore: '[\\p{sc=Hangul}\\p{sc=Han}]',
  Hans: '\\p{sc=Han}',
  Hant: '\\p{sc=Han}'
}

/** Names of a language: how many there are, and how many have letters but none of the script of the language. */
class Script {
  private texts = 0
  private against = 0
  private first = ''
  private readonly lang: string
  private readonly script: string
  private readonly form: RegExp

  constructor(lang: string) {
    this.lang = lang
    this.script = new Intl.Locale(lang).maximize().script ?? 'Latn'
    this.form = new RegExp(scripts[this.script] ?? `\\p{sc=${this.script}}`, 'u')
  }

  see(text: string): void {
    this.texts++
    if (!/\p{L}/u.test(text) || this.form.test(text)) return
    if (this.against++ === 0) this.first = text
  }

  /** Many games print Latin names in other scripts, and few print other scripts in a language of Latin letters. */
  doubt(): string | undefined {
    const share = this.script === 'Latn' ? 1 / 20 : 1 / 2
    return this.against < maxShown || this.against <= this.texts * share
      ? undefined
      : `${this.against} of ${this.texts} in \`${this.lang}\` are in another script, as \`${this.first}\``
  }
}

/** The different names and translations in one language; where many cards have one translation, its key is wrong. */
class Translations {
  private readonly names = new Set<string>()
  private readonly texts = new Set<string>()

  see(name: string, text: string): void {
    if (this.names.size >= maxRemembered) return
    this.names.add(name)
    this.texts.add(text)
  }

  doubt(lang: string): string | undefined {
    const [names, texts] = [this.names.size, this.texts.size]
    return names >= 10 && texts * 2 < names ? `${names} names have ${texts} in \`${lang}\`` : undefined
  }
}

/** Finds signs of a wrong declaration across the rows of a dry run. */
export class Signs {
  private readonly setNames = new ValuesOf()
  private readonly totals = new ValuesOf()
  private readonly codes = new ValuesOf()
  private readonly printed = new Map<string, true>()
  private readonly scripts = new Map<string, Script>()
  private readonly translations = new Map<string, Translations>()

  see({ row }: Mapped): void {
    const { game, set_code: code, lang, name, set, name_translations: names } = row
    const ofSet = code.toLowerCase()
    this.printed.set(lang, true)
    this.setNames.see(`${ofSet} ${game} ${lang}`, set.name)
    this.totals.see(`${ofSet} ${game} ${lang}`, set.declared_total)
    this.codes.see(`${ofSet} ${game}`, code)
    for (const [language, text] of Object.entries(names ?? {})) {
      if (typeof text !== 'string') continue
      let script = this.scripts.get(language)
      if (script === undefined) this.scripts.set(language, (script = new Script(language)))
      script.see(text)
      if (name === null || text === name) continue
      // Printings in several languages have several names with one translation.
      const key = `${language} ${lang}`
      let translated = this.translations.get(key)
      if (translated === undefined) this.translations.set(key, (translated = new Translations()))
      translated.see(name, text)
    }
  }

  result(): Doubts {
    const of = <One>(seen: ReadonlyMap<string, One>, doubt: (one: One, key: string) => string | undefined): string =>
      [...seen].flatMap(([key, one]) => doubt(one, key) ?? []).join('; ')
    const found: readonly (readonly [string, string | undefined])[] = [
      ['set_code', severalDoubt(this.codes, 'spellings, which are one set')],
      ['set_name', severalDoubt(this.setNames, 'names')],
      ['declared_total', severalDoubt(this.totals, 'totals')],
      ['lang', of(this.printed, (_, lang) => tagProblem(lang))],
      ['name', of(this.scripts, script => script.doubt())],
      [
        'name_translations',
        [
          of(this.translations, (one, key) => one.doubt(key.split(' ')[0] ?? '')),
          of(this.scripts, (_, lang) => (this.printed.has(lang) ? undefined : tagProblem(lang)))
        ]
          .filter(text => text !== '')
          .join('; ')
      ]
    ]
    return new Map(found.filter((one): one is readonly [string, string] => (one[1] ?? '') !== ''))
  }
}

/** Fields whose values other fields may repeat: an id, a number within it, and what a set without codes is called. */
const repeated: readonly string[] = ['native_id', 'sku_number', 'set_code', 'lang', 'game', 'name_translations']

/** The members of a value that was written as text; a list counts as its members. */
function membersOf(text: string): readonly string[] {
  if (!text.startsWith('["')) return [text]
  try {
    return (JSON.parse(text) as readonly JsonValue[]).map(String)
  } catch {
    return [text]
  }
}

type Filled = Readonly<{ field: string; values: ReadonlySet<string> }>

/**
 * Returns a doubt for each field that has the same set of values as one before it. Fewer than three values, and numbers
 * alone, say nothing; neither do ids.
 */
export function sameValues(fields: readonly Filled[]): Doubts {
  const seen = new Map<string, string>()
  const doubts = new Map<string, string>()
  for (const { field, values } of fields) {
    if (repeated.includes(field)) continue
    const members = [...new Set([...values].flatMap(membersOf))].sort()
    if (members.length < maxShown || !members.some(member => /\p{L}/u.test(member))) continue
    const key = members.join('\n')
    const before = seen.get(key)
    if (before === undefined) seen.set(key, field)
    else doubts.set(field, `has the same values as \`${before}\``)
  }
  return doubts
}
