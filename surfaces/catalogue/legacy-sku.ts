import { buildSku, parseSku, type Sku } from './sku.ts'

const languages = new Map(Object.entries({
  jp: 'ja', ja: 'ja', jpn: 'ja', cn: 'zh', zh: 'zh', chn: 'zh', kr: 'ko', ko: 'ko', kor: 'ko', en: 'en', eng: 'en', fr: 'fr', fra: 'fr',
  de: 'de', ger: 'de', deu: 'de', es: 'es', spa: 'es', it: 'it', ita: 'it', pt: 'pt', por: 'pt', ru: 'ru', rus: 'ru'
}))

/** First segments of SKUs from before games had tokens. The list is frozen: no game may get one of these tokens. */
const legacyGames = new Map(Object.entries({
  op: 'op', eb: 'op', st: 'op', p: 'op', prb: 'op', don: 'op', pk: 'pkm', fb: 'dbf', sb: 'dbf'
}))

/**
 * The canonical SKU that a canonical, upper-case or legacy SKU stands for, or `undefined` when it stands for none.
 *
 * In this order: a canonical SKU, as given or lowercased, with country codes in the place of the language (`jp`) made languages;
 * else a legacy prefix is replaced by its game, and the language is looked for in the fourth and then in the third place.
 */
export function normaliseSku (text: string): string | undefined {
  const parsed = parseSku(text) ?? parseSku(text.toLowerCase())
  if (parsed !== undefined && (legacyGames.get(parsed.game) ?? parsed.game) === parsed.game) {
    return rebuild({ ...parsed, lang: languages.get(parsed.lang) ?? parsed.lang })
  }
  const [prefix = '', set = '', third = '', fourth = '', ...variants] = text.toLowerCase().split('-')
  const game = legacyGames.get(prefix) ?? prefix
  const variant = variants.join('-')
  const last = languages.get(fourth)
  if (last !== undefined) return rebuild({ game, set, number: third, lang: last, variant })
  const swapped = languages.get(third)
  return swapped === undefined ? undefined : rebuild({ game, set, number: fourth, lang: swapped, variant })
}

function rebuild (sku: Sku): string | undefined {
  try {
    return buildSku(sku)
  } catch {
    return undefined
  }
}
