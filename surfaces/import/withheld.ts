import { unescapeEntities } from './entities.ts'

/**
 * What is never kept of an upstream: prices, shop identifiers, pictures, links and rules texts, told by the names of
 * fields and by the forms of values. Neither alone is enough: an upstream may call a price `value`, and the number of a
 * product has no form of its own.
 */
export type Withheld = 'price' | 'shop identifier' | 'picture' | 'link' | 'rules text'

const words: Readonly<Record<Withheld, readonly string[]>> = {
  price: [
    'price',
    'pricing',
    'msrp',
    'usd',
    'eur',
    'jpy',
    'gbp',
    'tix',
    'cent',
    'currency',
    'trend',
    'avg',
    'retail',
    'prei',
    'prix',
    'precio',
    'prezzo',
    'preço',
    'cena',
    'цена',
    '価格',
    '値段',
    '价格',
    '가격'
  ],
  'shop identifier': [
    'shop',
    'store',
    'seller',
    'buy',
    'purchase',
    'market',
    'marketplace',
    'tcgplayer',
    'cardmarket',
    'mkm',
    'mcm',
    'cardtrader',
    'cardkingdom',
    'ebay',
    'amazon',
    'affiliate',
    'listing',
    'barcode',
    'ean',
    'upc',
    'gtin',
    'asin',
    'isbn',
    'tienda',
    'boutique'
  ],
  picture: [
    'image',
    'img',
    'picture',
    'photo',
    'thumbnail',
    'thumb',
    'scan',
    'logo',
    'artwork',
    'avatar',
    'pic',
    'src',
    'png',
    'jpg',
    'jpeg',
    'webp',
    'bild',
    'imagen',
    'immagine',
    'imagem',
    '画像',
    '图片',
    '이미지'
  ],
  link: ['url', 'uri', 'href', 'link', 'permalink', 'website', 'webpage', 'lien', 'enlace'],
  'rules text': [
    'text',
    'effect',
    'ability',
    'abilitie',
    'rule',
    'ruling',
    'oracle',
    'flavor',
    'flavour',
    'description',
    'desc',
    'texte',
    'texto',
    'testo',
    'effekt',
    'effet',
    'efecto',
    'effetto',
    'beschreibung',
    'descripción',
    'descrizione',
    'テキスト',
    '効果'
  ]
}
/** Long enough to mean the same within a name that has no other mark between its words, such as `imageurl`. */
const within: readonly (readonly [Withheld, string])[] = [
  ['price', 'price'],
  ['shop identifier', 'tcgplayer'],
  ['shop identifier', 'cardmarket'],
  ['shop identifier', 'marketplace'],
  ['shop identifier', 'affiliate'],
  ['shop identifier', 'shopid'],
  ['shop identifier', 'productid'],
  ['shop identifier', 'idproduct'],
  ['shop identifier', 'tcgid'],
  ['picture', 'thumbnail'],
  ['picture', 'image'],
  ['picture', 'imgurl'],
  ['link', 'imgurl'],
  ['link', 'shopurl']
]

/** So is what a name without marks ends with, such as `arturl` or `cardtext`, or begins with, such as `usdfoil`. */
const endings: Readonly<Partial<Record<Withheld, RegExp>>> = {
  price: /^(?:usd|eur)/,
  link: /ur[il]$/,
  'rules text': /text$/
}

/**
 * A text as a reader sees it, whatever characters it is written in: compatibility forms as plain ones (NFKC, Unicode
 * UAX #15), and without those that are not shown.
 */
const bare = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .replace(/(?![0-9])\p{Nd}/gu, '0')

/** The same with what an encoding of links or markup hides. */
const decoded = (text: string): string => {
  const plain = bare(text)
  return /[&%]/.test(plain)
    ? unescapeEntities(plain).replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16))
      )
    : plain
}

/**
 * The words of one name: `imageURL`, `image_url`, `Image Url` are all `image`, `url`; a plural counts as its singular.
 */
const wordsOf = (name: string): string[] =>
  bare(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map(word => word.replace(/(?<=..)s$/, ''))

/**
 * Names that say it where they are all there is, but for `card`: an `art_style` or a `block_icon` may be a word or a
 * number.
 */
const alone: Readonly<Record<string, Withheld>> = { art: 'picture', icon: 'picture', body: 'rules text' }

const order = Object.keys(words) as Withheld[]

/** What a field of an upstream holds by its name, or `undefined`. */
export function withheldByName(name: string): Withheld | undefined {
  const found = wordsOf(name)
  const whole = alone[found.filter(word => word !== 'card').join(' ')]
  if (whole !== undefined) return whole
  const squashed = name.toLowerCase().replace(/[^a-z]/g, '')
  return order.find(
    kind =>
      words[kind].some(word => found.includes(word)) ||
      within.some(([of, part]) => of === kind && squashed.includes(part)) ||
      endings[kind]?.test(squashed) === true
  )
}

/** Names of money that are no prices by themselves, such as the `value` of a type. */
const moneyWithin = ['price', 'value', 'market', 'worth', 'amount']

/**
 * Whether a field of an upstream says by its name that it may hold what somebody pays: no exception is made for one.
 */
export function saysMoney(name: string): boolean {
  const kind = withheldByName(name)
  const squashed = bare(name)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  return kind === 'price' || kind === 'shop identifier' || moneyWithin.some(word => squashed.includes(word))
}

/**
 * A part may be taken out of these by a pattern, such as the number that only the name of a picture has; of the others
 * nothing is read.
 */
export const mayBeCut = (kind: Withheld): boolean => kind === 'picture' || kind === 'link' || kind === 'rules text'

/** Has no character that one of the checks looks for: most texts need no more. */
const harmless = /^[^./:,٫@<>()[\]{}&%\\\p{Sc}]*$/u
/** Words of currencies: some are written before an amount too, the others only behind it. */
const currencies = {
  beforeToo: 'usd|eur|gbp|jpy|cad|aud|chf',
  behind: 'yen|zł|kč|pln|sek|nok|dkk|czk|brl|krw|cny|rmb|twd|hkd|sgd|nzd'
}
const anyCurrency = `${currencies.beforeToo}|${currencies.behind}`
const money = new RegExp(
  String.raw`\p{Sc}\s?[0-9]|[0-9]\s?(?:\p{Sc}|[円元](?!\p{L}))|(?<![\p{L}0-9])(?:[0-9][0-9.,]*\s?(?:${anyCurrency})|(?:${currencies.beforeToo})\s?[0-9][0-9.,]*)(?![\p{L}0-9])`,
  'iu'
)
/** An amount with two decimals within a text; what goes on behind it, as a date does, is none. */
const amountWithin = /(?<![0-9])(?<![0-9][.,])[0-9]+[.,٫][0-9]{2}(?![0-9]|[.,][0-9])/
const amount =
  /^\(?[0-9]{1,3}(?:[., '][0-9]{3})*[.,][0-9]{2}\)?$|^[0-9]{1,6}[.,][0-9]{2}(?:\s*[/-]\s*[0-9]{1,6}[.,][0-9]{2})?$/
const link =
  /:\/\/|^https?:|^[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b|^(?:assets|cards(?!\/[0-9/]*$)|images|img)\/|(?:^|\s)www\.|^\/\/|^\\\\|^(?:mailto|javascript|ftp|tel):|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::[0-9]+)?[/?#]|(?:^|\s)(?:[a-z0-9-]+\.)+(?:com|net|org|info|shop|store|io)(?![a-z0-9.])|^(?![0-9]+\.[a-z]{2}$)(?:[a-z0-9-]+\.)+(?:jp|de|fr|it|es|eu|uk|cn|kr|tw|ly|xyz|app|dev|gg|tv|nl|ca|pl|cc)$|^\/[^/ ]+\/|@[a-z0-9-]+\.[a-z]{2,}$/i
const picture =
  /^(?:data|blob):|\.(?:avif|bmp|gif|heic|ico|jfif|jpe?g|jxl|png|psd|svg|tiff?|webp)(?![a-z0-9])|^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+/]{80,}={0,2}$/i
const markup =
  /<\/?(?:a|b|br|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|script|span|strong|style|su[bp]|svg|table|t[dhr]|u|ul)\b[^>]*>|<!--|\]\(|^\{.*:.*\}$|^\[.*[{"].*\]$/is

/** What a value may look like that no field of a card can be. */
export type Form = 'a picture' | 'a link' | 'a price' | 'markup'
const forms: readonly (readonly [what: Form, RegExp])[] = [
  ['a picture', picture],
  ['a link', link],
  ['a price', money],
  ['a price', amount],
  ['a price', amountWithin],
  ['markup', markup]
]

const currencyWord = new RegExp(`[円元]|${anyCurrency}`, 'i')
const ordinary = /^[A-Za-z0-9 !"'()*+_-]{0,79}$/

/**
 * Whether a text is of plain words and numbers, as most are: none of the forms, and a text without control characters.
 */
export const isOrdinary = (text: string): boolean => ordinary.test(text) && !currencyWord.test(text)

/** What is looked at of a text; a longer one is kept of no field. */
const looked = 1000

/**
 * UUIDs (RFC 9562 §4), and hexadecimal numbers as long as hashes: `3cad` within one is no amount, and a long one is no
 * picture in place.
 */
const certainIds = /(?<![\p{L}0-9])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,})(?![\p{L}0-9])/giu
/** What is one where a row has its id; elsewhere `12345cad` may be an amount. */
const likelyIds = /(?<![\p{L}0-9])[0-9a-f]{8,}(?:[-_][0-9a-f]{4,})*(?![\p{L}0-9])/giu
const withoutIds = (text: string, isId: boolean): string =>
  /[0-9a-f]{8}/i.test(text) ? text.replace(isId ? likelyIds : certainIds, 'x') : text

/**
 * What a text certainly is that no field of a card can be, or `undefined`. `excepted`: forms that are let through;
 * `isId`: whether it identifies a row.
 */
export function withheldByForm(
  written: string,
  { excepted, isId = false }: Readonly<{ excepted?: ReadonlySet<Form>; isId?: boolean }> = {}
): Form | undefined {
  const text = withoutIds(decoded(written), isId)
  if (harmless.test(text) && text.length < 80)
    return excepted?.has('a price') !== true && currencyWord.test(text) && money.test(text) ? 'a price' : undefined
  const start = text.slice(0, looked)
  return forms.find(([what, form]) => excepted?.has(what) !== true && form.test(start))?.[0]
}

/** A number as shops and databases give their products. */
export const isProductNumber = (text: string): boolean => /^#?[0-9]{5,}$/.test(bare(text))

/** A number with decimals as amounts have, and nothing else. */
export const isDecimal = (text: string): boolean => /^[+~-]?[0-9]+[.,][0-9]+\*?$/.test(bare(text))

/** Whether a text is a bare number; no name, rarity or word of a card is one. */
export const isBareNumber = (text: string): boolean => isProductNumber(text) || isDecimal(text)
