import type { JsonObject } from 'pantry/data'
import type { CardFacts } from './card-fields.ts'

/** A language that was tried for a name, and whether the card has a name in it. */
type Tried = Readonly<{ lang: string; available: boolean }>

const range = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=([01](?:\.[0-9]{0,3})?))?$/
/** The most language ranges read from a header; a person needs fewer. */
const maxRanges = 20

/**
 * Parses an Accept-Language field to lowercase languages, the most preferred first (RFC 9110 §12.5.4). Leaves out
 * excluded languages (`q=0`), malformed ranges, and `*`, which matches any name.
 */
export function acceptedLanguages(field: string | readonly string[] | undefined): readonly string[] {
  if (field === undefined) return []
  const text = typeof field === 'string' ? field : field.join(',')
  return text
    .toLowerCase()
    .split(',', maxRanges)
    .map(part => range.exec(part.trim()))
    .flatMap(match => (match === null ? [] : [{ tag: match[1] ?? '', weight: Number(match[2] ?? 1) }]))
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

/** Yields a tag and its shorter forms, without subtags from its end: `zh-hant-tw`, `zh-hant`, `zh` (RFC 4647 §3.4). */
function* shorter(tag: string): Generator<string> {
  const subtags = tag.split('-')
  while (subtags.length > 0) {
    yield subtags.join('-')
    subtags.pop()
    // A subtag of one letter or digit only introduces the one after it, so it is removed too.
    if (subtags.at(-1)?.length === 1) subtags.pop()
  }
}

/** Returns the names of a card by language tag. The cast is safe because only texts are stored there. */
export const namesOf = ({
  name_translations: names
}: Pick<CardFacts, 'name_translations'>): Readonly<Record<string, string>> | null =>
  names as Readonly<Record<string, string>> | null

/** Whether the card has a name, in any language, that differs from `name`. */
export const hasOtherName = (card: CardFacts): boolean =>
  Object.values(namesOf(card) ?? {}).some(name => name !== card.name)

/**
 * Returns the language of `name`, which may differ from the language of the printing: that of the printing if the card
 * has this name in it, else the first of `languages` in which it has; null when there is none.
 */
export const languageOfName = (
  { lang, name, name_translations: names }: CardFacts,
  languages: readonly string[]
): string | null => [lang, ...languages].find(language => name !== null && names?.[language] === name) ?? null

/**
 * Returns the name of a card in the first wanted language that it has, otherwise the stored name. `resolved_from`:
 * `preferred` (a wanted language), `preferred_alt` (a wanted language without its region or script), `default` (none of
 * them) or `missing` (no name). `fallback_chain` lists the languages tried, in order; `default` in it is the stored
 * name.
 */
export function nameOf(card: CardFacts, wanted: readonly string[]): JsonObject {
  const { name, name_translations: names } = card
  const languages = Object.keys(names ?? {}).sort()
  const tried: Tried[] = []
  for (const preferred of wanted) {
    for (const tag of shorter(preferred)) {
      if (tried.some(({ lang: before }) => before === tag)) continue
      const available = languages.includes(tag)
      tried.push({ lang: tag, available })
      if (available) {
        return {
          natural_token: names?.[tag] ?? null,
          resolved_lang: tag,
          resolved_from: tag === preferred ? 'preferred' : 'preferred_alt',
          available_languages: languages,
          fallback_chain: tried
        }
      }
    }
  }
  return {
    natural_token: name,
    resolved_lang: languageOfName(card, languages),
    resolved_from: name === null ? 'missing' : 'default',
    available_languages: languages,
    fallback_chain: [...tried, { lang: 'default', available: name !== null }]
  }
}

/**
 * Returns the languages used to choose a card's name: those `asked` for, followed by those of the Accept-Language
 * header only if these change the name.
 */
export function wantedLanguages(
  card: CardFacts,
  asked: readonly string[],
  accepted: readonly string[]
): readonly string[] {
  const all = [...asked, ...accepted]
  return nameOf(card, all)['natural_token'] === nameOf(card, asked)['natural_token'] ? asked : all
}
