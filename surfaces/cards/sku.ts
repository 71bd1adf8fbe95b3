/** Returns the canonical (lowercase) form of a set code, which lookups and hashes use. */
export const canonicalCode = (printed: string): string => printed.toLowerCase()

/**
 * The parts of a canonical SKU, the identifier of a printing: `<game>-<set>-<number>-<lang>[-<variant>]` in lower case.
 *
 * Every part is escaped, so that different identities never share a SKU and a SKU can be decoded:
 *
 * - a-z and 0-9 stay; letters are lowercased first, so identities that differ only in case are the same
 * - `-` becomes `_`, because `-` separates the parts
 * - a space becomes `.`
 * - all else, including `_`, `.` and `~`, becomes `~` and two lowercase hex digits for each byte of its UTF-8 form
 */
export type Sku = Readonly<{
  game: string
  set: string
  number: string
  /** A language tag (BCP 47, RFC 5646 §2.1 without extensions), for example `en` or `zh-hans`. */
  lang: string
  /** Which printing of the number it is; an empty string for the ordinary one. */
  variant: string
}>

/** The maximum length of a SKU, in characters. */
export const skuLimit = 160

const parts = ['game', 'set', 'number', 'lang', 'variant'] as const
const gamePattern = /^[a-z0-9]+$/
const langPattern = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/

/** Whether a text may be the token of a game. */
export const isGameToken = (text: string): boolean => gamePattern.test(text)
/** Returns the game of a canonical SKU. */
export const gameOf = (sku: string): string => sku.slice(0, sku.indexOf('-'))
/** Whether a text has the form of a lowercase language tag. */
export const isLanguageTag = (text: string): boolean => langPattern.test(text)

/** A SKU cannot be built; `field` names the part at fault, or is `sku` when the whole is too long. */
export class SkuError extends Error {
  readonly field: keyof Sku | 'sku'

  constructor(field: keyof Sku | 'sku', message: string) {
    super(message)
    this.name = 'SkuError'
    this.field = field
  }
}

/** Escapes one part of a SKU. Throws a RangeError on a lone surrogate, which has no UTF-8 form. */
export function encodePart(text: string): string {
  const lower = text.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return lower
  if (!lower.isWellFormed()) throw new RangeError('Text with a lone surrogate cannot be part of a SKU.')
  return lower.replace(/[^a-z0-9]/gu, character => {
    if (character === '-') return '_'
    if (character === ' ') return '.'
    return [...Buffer.from(character)].map(byte => '~' + byte.toString(16).padStart(2, '0')).join('')
  })
}

/** Decodes an escaped part; `undefined` when `encodePart` would not produce it. */
export function decodePart(part: string): string | undefined {
  if (/^[a-z0-9]+$/.test(part)) return part
  if (!/^(?:[a-z0-9_.]|~[0-9a-f]{2})+$/.test(part)) return undefined
  const text = part
    .replace(/_/g, '-')
    .replace(/\./g, ' ')
    .replace(/(?:~[0-9a-f]{2})+/g, escaped => Buffer.from(escaped.replaceAll('~', ''), 'hex').toString())
  // Only one spelling is valid: invalid UTF-8, capitals and needless escapes do not encode back to the same part.
  return encodePart(text) === part ? text : undefined
}

/** Builds the canonical SKU. Throws a SkuError when a part is missing or malformed, or the SKU is too long. */
export function buildSku(sku: Sku): string {
  const lang = sku.lang.toLowerCase()
  for (const part of parts) {
    if (part !== 'variant' && sku[part] === '') throw new SkuError(part, `\`${part}\` of a SKU must not be empty.`)
    if (!sku[part].isWellFormed()) throw new SkuError(part, `\`${part}\` of a SKU holds a lone surrogate.`)
  }
  if (!isGameToken(sku.game))
    throw new SkuError('game', `\`game\` must be a token of a-z and 0-9, not \`${sku.game}\`.`)
  if (!isLanguageTag(lang))
    throw new SkuError('lang', `\`lang\` must be a language tag such as \`en\` or \`zh-hans\`, not \`${sku.lang}\`.`)
  const text = [sku.game, sku.set, sku.number, lang, ...(sku.variant === '' ? [] : [sku.variant])]
    .map(encodePart)
    .join('-')
  if (text.length > skuLimit)
    throw new SkuError(
      'sku',
      `A SKU has at most ${String(skuLimit)} characters, this one would have ${String(text.length)}.`
    )
  return text
}

/**
 * Parses a canonical SKU strictly: capitals and other spellings are invalid. Returns its decoded parts (lowercase), or
 * `undefined`.
 */
export function parseSku(text: string): Sku | undefined {
  if (text.length > skuLimit) return undefined
  const segments = text.split('-')
  if (segments.length < 4 || segments.length > 5) return undefined
  const decoded = segments.map(decodePart)
  const [game, set, number, lang, variant = ''] = decoded
  if (
    decoded.includes(undefined) ||
    game === undefined ||
    set === undefined ||
    number === undefined ||
    lang === undefined
  )
    return undefined
  return isGameToken(game) && isLanguageTag(lang) ? { game, set, number, lang, variant } : undefined
}

const languages = new Map(
  Object.entries({
    jp: 'ja',
    ja: 'ja',
    jpn: 'ja',
    cn: 'zh',
    zh: 'zh',
    chn: 'zh',
    kr: 'ko',
    ko: 'ko',
    kor: 'ko',
    en: 'en',
    eng: 'en',
    fr: 'fr',
    fra: 'fr',
    de: 'de',
    ger: 'de',
    deu: 'de',
    es: 'es',
    spa: 'es',
    it: 'it',
    ita: 'it',
    pt: 'pt',
    por: 'pt',
    ru: 'ru',
    rus: 'ru'
  })
)

/**
 * First segments of SKUs from before games had tokens, with the token of the game. The list is frozen: no new game may
 * use one of these segments as its token.
 */
const legacyGames = new Map(
  Object.entries({ op: 'op', eb: 'op', st: 'op', p: 'op', prb: 'op', don: 'op', pk: 'pkm', fb: 'dbf', sb: 'dbf' })
)

/**
 * The most segments of a text that `readSku` reads. Each hyphen may separate parts or belong to one, so readings
 * multiply.
 */
const maxSegments = 8
const scripts = new Set(['hans', 'hant'])

/**
 * Returns the canonical SKU for a canonical, upper-case or legacy SKU, or `undefined` when there is none.
 *
 * First a canonical SKU is tried, as given or in lower case; country codes in place of a language (`jp`) are replaced.
 * Otherwise a legacy prefix is replaced by its game, and the language is taken from the fourth segment or else the
 * third.
 */
export function normaliseSku(text: string): string | undefined {
  const lower = text.toLowerCase()
  const parsed = parseSku(lower)
  if (parsed !== undefined && (legacyGames.get(parsed.game) ?? parsed.game) === parsed.game) {
    const lang = languages.get(parsed.lang) ?? parsed.lang
    return lang === parsed.lang ? lower : rebuild({ ...parsed, lang })
  }
  const [prefix = '', set = '', third = '', fourth = '', ...variants] = lower.split('-')
  const game = legacyGames.get(prefix) ?? prefix
  const variant = variants.join('-')
  const last = languages.get(fourth)
  if (last !== undefined) return rebuild({ game, set, number: third, lang: last, variant })
  const swapped = languages.get(third)
  return swapped === undefined ? undefined : rebuild({ game, set, number: fourth, lang: swapped, variant })
}

/**
 * The possible readings of a SKU. If `certain`, the `others` are used only when no card has the canonical SKU;
 * otherwise all readings are equally likely.
 */
type SkuReading = Readonly<{ canonical: string; others: readonly string[]; certain: boolean }>

const plainSku = /^([a-z0-9]+)-[a-z0-9]+-[a-z0-9]+-([a-z]{2})(?:-([a-z0-9]+))?$/

/** Whether a text is a canonical SKU without escapes that has no other reading, as most are. */
function isPlain(text: string): boolean {
  if (text.length > skuLimit) return false
  const [, game, lang, variant = ''] = plainSku.exec(text) ?? []
  if (game === undefined || lang === undefined) return false
  const isCurrent = (legacyGames.get(game) ?? game) === game && languages.get(lang) === lang
  return isCurrent && !languages.has(variant) && !scripts.has(variant)
}

/**
 * Returns all readings of a SKU. In addition to `normaliseSku`, it handles set codes and numbers with hyphens of their
 * own (`pkm-sv-p-001-en`), split in every way that leaves no part empty, and a script after the language (`zh-hans`).
 * `undefined` for a text that has no reading, more than 8 segments or a control character.
 */
export function readSku(text: string): SkuReading | undefined {
  if (isPlain(text)) return { canonical: text, others: [], certain: true }
  // No card number contains a control character, even though a SKU could escape one.
  if (/[\u0000-\u001f\u007f]/.test(text)) return undefined
  const segments = text.toLowerCase().split('-')
  if (segments.length > maxSegments) return undefined
  const own = normaliseSku(text)
  // Four segments have only one reading, because none of the parts then contains a hyphen.
  if (own !== undefined && segments.length === 4) return { canonical: own, others: [], certain: true }
  const readings = new Set([...(own === undefined ? [] : [own]), ...scripted(own), ...hyphenated(segments)])
  const [canonical, ...others] = readings
  return canonical === undefined ? undefined : { canonical, others, certain: own !== undefined }
}

/** Yields a second reading: by the grammar, `op-op01-001-zh-hans` has a variant `hans`, but it may mean the script. */
function* scripted(canonical: string | undefined): Generator<string> {
  const parsed = canonical === undefined || !/-han[st]/.test(canonical) ? undefined : parseSku(canonical)
  if (parsed === undefined) return
  const [script = '', ...variant] = parsed.variant.split('-')
  if (!scripts.has(script)) return
  const sku = rebuild({ ...parsed, lang: `${parsed.lang}-${script}`, variant: variant.join('-') })
  if (sku !== undefined) yield sku
}

/**
 * Yields readings with the language after the fourth segment: the segments between game and language are split into set
 * and number at every possible place.
 */
function* hyphenated(segments: readonly string[]): Generator<string> {
  const [prefix = '', ...rest] = segments
  if (rest.includes('')) return
  const game = legacyGames.get(prefix) ?? prefix
  for (const [at, segment] of rest.entries()) {
    const lang = languages.get(segment)
    if (lang === undefined || at < 3) continue
    for (let split = 1; split < at; split += 1) {
      const sku = rebuild({
        game,
        set: rest.slice(0, split).join('-'),
        number: rest.slice(split, at).join('-'),
        lang,
        variant: rest.slice(at + 1).join('-')
      })
      if (sku !== undefined) yield sku
    }
  }
}

function rebuild(sku: Sku): string | undefined {
  try {
    return buildSku(sku)
  } catch {
    return undefined
  }
}

/** The result of resolving a text to a SKU. `candidates` are the SKUs of existing cards, in code unit order. */
export type Resolution<Card> = Readonly<
  | { status: 'found'; sku: string; card: Card }
  | { status: 'invalid' }
  | { status: 'absent'; canonical: string }
  | { status: 'ambiguous'; canonical: string; candidates: readonly string[] }
>

/** Looks up cards by canonical SKUs, in the same order. */
type LookUp<Card> = (skus: readonly string[]) => Promise<readonly (Card | undefined)[]>

/**
 * Resolves canonical, upper-case or legacy SKUs to cards, with one lookup for all. Rejects when the catalogue cannot be
 * read.
 */
export async function resolveSkus<Card>(
  texts: readonly string[],
  lookUp: LookUp<Card>
): Promise<readonly Resolution<Card>[]> {
  const readings = texts.map(readSku)
  const skus = [
    ...new Set(readings.flatMap(reading => (reading === undefined ? [] : [reading.canonical, ...reading.others])))
  ]
  const cards = skus.length === 0 ? [] : await lookUp(skus)
  const bySku = new Map(skus.map((sku, index) => [sku, cards[index]]))
  return readings.map((reading): Resolution<Card> => {
    if (reading === undefined) return { status: 'invalid' }
    const { canonical, others, certain } = reading
    const held = [canonical, ...others].flatMap(sku => {
      const card = bySku.get(sku)
      return card === undefined ? [] : [{ sku, card }]
    })
    const [first, second] = held
    if (first === undefined) return { status: 'absent', canonical }
    if (second === undefined || (certain && first.sku === canonical)) return { status: 'found', ...first }
    return { status: 'ambiguous', canonical, candidates: held.map(({ sku }) => sku).sort() }
  })
}
