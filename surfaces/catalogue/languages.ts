import type { JsonObject } from 'pantry/data'
import type { CardFacts } from './facts.ts'

/** A language that was looked for, and whether a name in it is held. */
type Tried = Readonly<{ lang: string; available: boolean }>

const range = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=([01](?:\.[0-9]{0,3})?))?$/
/** A header with more languages than any person reads is not read further. */
const mostRanges = 20

/**
 * Languages of an Accept-Language field, the most wanted first, in lowercase (RFC 9110 §12.5.4). What is refused
 * (`q=0`), a range that is not well-formed, and `*`, which any name satisfies, are left out.
 */
export function acceptedLanguages(field: string | readonly string[] | undefined): readonly string[] {
  if (field === undefined) return []
  const text = typeof field === 'string' ? field : field.join(',')
  return text
    .toLowerCase()
    .split(',', mostRanges)
    .map(part => range.exec(part.trim()))
    .flatMap(match => (match === null ? [] : [{ tag: match[1] ?? '', weight: Number(match[2] ?? 1) }]))
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

/** A tag and what is left when subtags are taken from its end: `zh-hant-tw`, `zh-hant`, `zh` (RFC 4647 §3.4). */
function* shorter(tag: string): Generator<string> {
  const subtags = tag.split('-')
  while (subtags.length > 0) {
    yield subtags.join('-')
    subtags.pop()
    // A single letter only introduces what followed it.
    if (subtags.at(-1)?.length === 1) subtags.pop()
  }
}

/** The names of a card by language tag: a mapped row keeps only texts among them. */
export const namesOf = ({
  name_translations: names
}: Pick<CardFacts, 'name_translations'>): Readonly<Record<string, string>> | null =>
  names as Readonly<Record<string, string>> | null

/** Whether a name is held that is not the stored one. */
export const hasOtherName = (card: CardFacts): boolean =>
  Object.values(namesOf(card) ?? {}).some(name => name !== card.name)

/**
 * The language that the stored name of a card is in: an upstream may name a printing in another language than the card
 * is printed in.
 */
export const languageOfName = (
  { lang, name, name_translations: names }: CardFacts,
  languages: readonly string[]
): string | null => [lang, ...languages].find(language => name !== null && names?.[language] === name) ?? null

/**
 * The name of a card in the first of the wanted languages that it is held in, else the stored name. `resolved_from`:
 * `preferred` (a wanted language), `preferred_alt` (a wanted language without its region or script), `default` (none of
 * them), `missing` (no name is held). `fallback_chain` is what was looked for, in order; `default` means the stored
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
 * The languages that choose the name of a card: those that were `asked` for, and those that a header accepts where they
 * lead to another name.
 */
export function wantedLanguages(
  card: CardFacts,
  asked: readonly string[],
  accepted: readonly string[]
): readonly string[] {
  const all = [...asked, ...accepted]
  return nameOf(card, all)['natural_token'] === nameOf(card, asked)['natural_token'] ? asked : all
}
