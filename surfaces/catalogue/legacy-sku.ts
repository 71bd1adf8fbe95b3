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

/** First segments of SKUs from before games had tokens. The list is frozen: no game may get one of these tokens. */
const legacyGames = new Map(
  Object.entries({ op: 'op', eb: 'op', st: 'op', p: 'op', prb: 'op', don: 'op', pk: 'pkm', fb: 'dbf', sb: 'dbf' })
)

/** A text with more hyphens is no SKU: each hyphen may separate parts or belong to one, and the readings multiply. */
const mostSegments = 8
const scripts = new Set(['hans', 'hant'])

/**
 * The canonical SKU that a canonical, upper-case or legacy SKU means, or `undefined` when it means none.
 *
 * In this order: a canonical SKU, as given or lowercased, with country codes in the place of the language (`jp`) made
 * languages; else a legacy prefix is replaced by its game, and the language is looked for in the fourth and then in the
 * third place.
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
 * What a text can mean. When `certain`, the others count only where no card has the canonical SKU; else all readings
 * are alike.
 */
type SkuReading = Readonly<{ canonical: string; others: readonly string[]; certain: boolean }>

/**
 * All readings of a SKU. Beyond `normaliseSku`: a set code or number that is written with its own hyphens
 * (`pkm-sv-p-001-en`), read in every way that leaves each part something, and a script after the language (`zh-hans`).
 * `undefined` when the text is no full SKU.
 */
export function readSku(text: string): SkuReading | undefined {
  // No card has a control character in its number, whatever a SKU could escape.
  if (/[\u0000-\u001f\u007f]/.test(text)) return undefined
  const segments = text.toLowerCase().split('-')
  if (segments.length > mostSegments) return undefined
  const own = normaliseSku(text)
  // Four parts are read in one way: nothing can be a part's own hyphen.
  if (own !== undefined && segments.length === 4) return { canonical: own, others: [], certain: true }
  const readings = new Set([...(own === undefined ? [] : [own]), ...scripted(own), ...hyphenated(segments)])
  const [canonical, ...others] = readings
  return canonical === undefined ? undefined : { canonical, others, certain: own !== undefined }
}

/** `op-op01-001-zh-hans` names a variant by the grammar, and was perhaps meant to name a script. */
function* scripted(canonical: string | undefined): Generator<string> {
  const parsed = canonical === undefined || !/-han[st]/.test(canonical) ? undefined : parseSku(canonical)
  if (parsed === undefined) return
  const [script = '', ...variant] = parsed.variant.split('-')
  if (!scripts.has(script)) return
  const sku = rebuild({ ...parsed, lang: `${parsed.lang}-${script}`, variant: variant.join('-') })
  if (sku !== undefined) yield sku
}

/**
 * Readings with the language at a later place than the fourth: the segments before it are a set and a number, split
 * anywhere.
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
