/**
 * What is never kept of an upstream: prices, shop identifiers, pictures, links and rules texts, told by the names of fields and by the forms of
 * values. Neither alone is enough: an upstream may call a price `value`, and the number of a product has no form of its own.
 */
export type Withheld = 'price' | 'shop identifier' | 'picture' | 'link' | 'rules text'

const words: Readonly<Record<Withheld, readonly string[]>> = {
  price: ['price', 'msrp', 'usd', 'eur', 'jpy', 'gbp', 'tix', 'cent'],
  'shop identifier': ['shop', 'store', 'seller', 'buy', 'purchase', 'market', 'marketplace', 'tcgplayer', 'cardmarket', 'mkm', 'mcm', 'cardtrader', 'cardkingdom', 'ebay', 'amazon', 'affiliate'],
  picture: ['image', 'img', 'picture', 'photo', 'thumbnail', 'thumb', 'scan', 'logo', 'artwork', 'avatar', 'pic', 'src'],
  link: ['url', 'uri', 'href', 'link', 'permalink', 'website', 'webpage'],
  'rules text': ['text', 'effect', 'ability', 'abilitie', 'rule', 'ruling', 'oracle', 'flavor', 'flavour', 'description', 'desc']
}
/** Long enough to mean the same within a name that has no other mark between its words, such as `imageurl`. */
const within: readonly (readonly [Withheld, string])[] = [
  ['price', 'price'], ['shop identifier', 'tcgplayer'], ['shop identifier', 'cardmarket'], ['shop identifier', 'marketplace'], ['shop identifier', 'affiliate'],
  ['shop identifier', 'shopid'], ['shop identifier', 'productid'], ['shop identifier', 'tcgid'], ['picture', 'thumbnail'], ['picture', 'image'], ['picture', 'imgurl'], ['link', 'imgurl'], ['link', 'shopurl']
]

/** So is what a name without marks ends with, such as `arturl` or `cardtext`, or begins with, such as `usdfoil`. */
const endings: Readonly<Partial<Record<Withheld, RegExp>>> = { price: /^(?:usd|eur)/, link: /ur[il]$/, 'rules text': /text$/ }

/** The words of one name: `imageURL`, `image_url`, `Image Url` are all `image`, `url`; a plural counts as its singular. */
const wordsOf = (name: string): string[] =>
  name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase().split(/[^\p{L}]+/u).map(word => word.replace(/(?<=..)s$/, ''))

/** Names that say it where they are all there is, but for `card`: an `art_style` or a `block_icon` may be a word or a number. */
const alone: Readonly<Record<string, Withheld>> = { art: 'picture', icon: 'picture', body: 'rules text' }

const order = Object.keys(words) as Withheld[]

/** What a field of an upstream holds by its name, or `undefined`. */
export function withheldByName (name: string): Withheld | undefined {
  const found = wordsOf(name)
  const whole = alone[found.filter(word => word !== 'card').join(' ')]
  if (whole !== undefined) return whole
  const squashed = name.toLowerCase().replace(/[^a-z]/g, '')
  return order.find(kind => words[kind].some(word => found.includes(word)) || within.some(([of, part]) => of === kind && squashed.includes(part)) || endings[kind]?.test(squashed) === true)
}

/** A part may be taken out of these by a pattern, such as the number that only the name of a picture has; of the others nothing is read. */
export const mayBeCut = (kind: Withheld): boolean => kind === 'picture' || kind === 'link' || kind === 'rules text'

/** Has no character that one of the checks looks for: most texts need no more. */
const harmless = /^[^./:,@<>&%\p{Sc}]*$/u
const money = /\p{Sc}\s?[0-9]|[0-9]\s?(?:\p{Sc}|[円元](?!\p{L}))|(?<![\p{L}0-9])(?:[0-9][0-9.,]*\s?(?:usd|eur|gbp|jpy|cad|aud|chf|yen|zł)|(?:usd|eur|gbp|jpy|cad|aud|chf)\s?[0-9][0-9.,]*)(?![\p{L}0-9])/iu
const amount = /^\(?[0-9]{1,3}(?:[., '][0-9]{3})*[.,][0-9]{2}\)?$|^[0-9]{1,6}[.,][0-9]{2}(?:\s*[/-]\s*[0-9]{1,6}[.,][0-9]{2})?$/
const link = /:\/\/|^https?:|^[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b|^(?:assets|cards|images|img)\/|^(?:www\.|\/\/)|^(?:mailto|javascript|ftp|tel):|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::[0-9]+)?[/?#]|^(?:[a-z0-9-]+\.)+(?:com|net|org|info|shop|store|io|jp|de|fr|it|es|eu|uk|cn|kr|tw|ly|xyz|app|dev|gg|tv|nl|ca|pl|cc)$|^\/[^/ ]+\/|@[a-z0-9-]+\.[a-z]{2,}$/i
const picture = /^(?:data|blob):|\.(?:avif|bmp|gif|heic|jpe?g|jxl|png|svg|tiff?|webp)\b|^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+/]{80,}={0,2}$/i
const markup = /<\/?(?:a|b|br|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|script|span|strong|style|su[bp]|svg|table|t[dhr]|u|ul)\b[^>]*>/i

const forms: readonly (readonly [what: string, RegExp])[] = [['a picture', picture], ['a link', link], ['a price', money], ['a price', amount], ['markup', markup]]

const currencyWord = /[円元]|usd|eur|gbp|jpy|cad|aud|chf|yen|zł/i
const ordinary = /^[A-Za-z0-9 !"'()*+_-]{0,79}$/

/** Whether a text is of plain words and numbers, as most are: none of the forms, and a text without control characters. */
export const isOrdinary = (text: string): boolean => ordinary.test(text) && !currencyWord.test(text)

/** What is looked at of a text; a longer one is kept of no field. */
const looked = 1000

/** What a text certainly is that no field of a card can be, or `undefined`. */
export function withheldByForm (written: string): string | undefined {
  const text = /^[ -~]*$/.test(written) ? written : written.normalize('NFKC')
  if (harmless.test(text) && text.length < 80) return currencyWord.test(text) && money.test(text) ? 'a price' : undefined
  const start = text.slice(0, looked)
  return forms.find(([, form]) => form.test(start))?.[0]
}

/** Whether a text is a bare number as shops and databases give their products; no name, rarity or word of a card is one. */
export const isBareId = (text: string): boolean => /^[0-9]{5,}$/.test(text)
