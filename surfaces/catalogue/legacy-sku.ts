import { buildSku, parseSku, type Sku } from './sku.ts'

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
 * First segments of SKUs from before games had tokens. The list is frozen: no new game may use one of these as its
 * token.
 */
const legacyGames = new Map(
  Object.entries({ op: 'op', eb: 'op', st: 'op', p: 'op', prb: 'op', don: 'op', pk: 'pkm', fb: 'dbf', sb: 'dbf' })
)

/** The most segments of a SKU that are read. Each hyphen may separate parts or belong to one, so readings multiply. */
const mostSegments = 8
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

/**
 * Returns all readings of a SKU. In addition to `normaliseSku`, it handles set codes and numbers with hyphens of their
 * own (`pkm-sv-p-001-en`), split in every way that leaves no part empty, and a script after the language (`zh-hans`).
 * `undefined` when the text is no complete SKU.
 */
export function readSku(text: string): SkuReading | undefined {
  // No card number contains a control character, even though a SKU could escape one.
  if (/[\u0000-\u001f\u007f]/.test(text)) return undefined
  const segments = text.toLowerCase().split('-')
  if (segments.length > mostSegments) return undefined
  const own = normaliseSku(text)
  // Four segments have only one reading, because none can contain a hyphen.
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
 * Yields readings with the language after the fourth segment: the segments before it are split into set and number at
 * every possible place.
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
