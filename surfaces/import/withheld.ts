/** The named entities that occur in the texts of upstreams. */
const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['euro', '€'],
  ['pound', '£'],
  ['yen', '¥'],
  ['cent', '¢'],
  ['dollar', '$']
])

function unescapeEntity(
  whole: string,
  decimal: string | undefined,
  hexadecimal: string | undefined,
  name: string | undefined
): string {
  if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/**
 * Replaces HTML entities in a text by their characters (HTML §13.5): numeric ones of up to six digits, and the named
 * ones that upstreams use.
 */
export const unescapeEntities = (text: string): string =>
  text.replace(/&(?:#([0-9]{1,6})|#x([0-9a-f]{1,6})|([a-z]+));/giu, unescapeEntity)

/**
 * The kinds of upstream data that are never stored. They are recognised by field names and by the form of values.
 * Neither is enough alone: an upstream may call a price `value`, and a product number has no form of its own.
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
/** Parts of names that are long enough to be recognised anywhere in a name without separators, such as `imageurl`. */
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

/** Beginnings and ends of names without separators, such as `arturl`, `cardtext` or `usdfoil`. */
const endings: Readonly<Partial<Record<Withheld, RegExp>>> = {
  price: /^(?:usd|eur)/,
  link: /ur[il]$/,
  'rules text': /text$/
}

/**
 * Returns a text as a reader sees it: compatibility characters replaced by plain ones (NFKC, Unicode UAX #15),
 * invisible characters removed, and every non-ASCII digit replaced by `0`.
 */
const bare = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .replace(/(?![0-9])\p{Nd}/gu, '0')

/** Like `bare`, and also decodes HTML entities and percent-encoded ASCII, which could hide links or markup. */
const decoded = (text: string): string => {
  const plain = bare(text)
  return /[&%]/.test(plain)
    ? unescapeEntities(plain).replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16))
      )
    : plain
}

/**
 * Splits a name into words in lower case: `imageURL`, `image_url` and `Image Url` all give `image`, `url`. An `s` at
 * the end of a word of three letters or more is removed, as it may be a plural.
 */
const wordsOf = (name: string): string[] =>
  bare(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map(word => word.replace(/(?<=..)s$/, ''))

/**
 * Words that count only when they are the whole name (apart from `card`): an `art_style` or a `block_icon` may be a
 * harmless word or number.
 */
const alone: Readonly<Record<string, Withheld>> = { art: 'picture', icon: 'picture', body: 'rules text' }

const order = Object.keys(words) as Withheld[]

/** Last words of names of something short about a text or link, such as `flavor_name`, `oracle_id` or `link_rating`. */
const short: readonly string[] = ['name', 'id', 'rating', 'number', 'code']

/** Returns the kind of withheld data that the name of a field indicates, or `undefined`. */
export function withheldByName(name: string): Withheld | undefined {
  const found = wordsOf(name)
  const whole = alone[found.filter(word => word !== 'card').join(' ')]
  if (whole !== undefined) return whole
  const squashed = name.toLowerCase().replace(/[^a-z]/g, '')
  const isShort = short.includes(found.at(-1) ?? '')
  return order.find(
    kind =>
      !(isShort && (kind === 'rules text' || kind === 'link')) &&
      (words[kind].some(word => found.includes(word)) ||
        within.some(([of, part]) => of === kind && squashed.includes(part)) ||
        endings[kind]?.test(squashed) === true)
  )
}

/**
 * Parts of names that may mean money. No exception may be declared for a field with one of them, even where the name
 * alone does not withhold the field, as with `value`.
 */
const moneyWithin = ['price', 'value', 'market', 'worth', 'amount']

/**
 * Whether the name of a field suggests that it may hold an amount of money; no exception may be declared for such a
 * field.
 */
export function saysMoney(name: string): boolean {
  const kind = withheldByName(name)
  const squashed = bare(name)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  return kind === 'price' || kind === 'shop identifier' || moneyWithin.some(word => squashed.includes(word))
}

/**
 * Whether a pattern may extract a part of a value of this kind, such as a number that only the file name of a picture
 * contains. Fields of the other kinds are not read at all.
 */
export const mayBeCut = (kind: Withheld): boolean => kind === 'picture' || kind === 'link' || kind === 'rules text'

/**
 * Matches texts without any character that the forms below require; most texts need no further check. Only amounts with
 * a currency word, and embedded pictures of 80 characters or more, can be among these texts.
 */
const harmless = /^[^./:,٫@<>()[\]{}&%\\\p{Sc}]*$/u
/** Currency words: `beforeToo` may be written before or after an amount, `behind` only after it. */
const currencies = {
  beforeToo: 'usd|eur|gbp|jpy|cad|aud|chf',
  behind: 'yen|zł|kč|pln|sek|nok|dkk|czk|brl|krw|cny|rmb|twd|hkd|sgd|nzd'
}
const anyCurrency = `${currencies.beforeToo}|${currencies.behind}`
const money = new RegExp(
  String.raw`\p{Sc}\s?[0-9]|[0-9]\s?(?:\p{Sc}|[円元](?!\p{L}))|(?<![\p{L}0-9])(?:[0-9][0-9.,]*\s?(?:${anyCurrency})|(?:${currencies.beforeToo})\s?[0-9][0-9.,]*)(?![\p{L}0-9])`,
  'iu'
)
/** An amount with two decimals within a text. Not when more digits follow, as in a date. */
const amountWithin = /(?<![0-9])(?<![0-9][.,])[0-9]+[.,٫][0-9]{2}(?![0-9]|[.,][0-9])/
const amount =
  /^\(?[0-9]{1,3}(?:[., '][0-9]{3})*[.,][0-9]{2}\)?$|^[0-9]{1,6}[.,][0-9]{2}(?:\s*[/-]\s*[0-9]{1,6}[.,][0-9]{2})?$/
const link =
  /:\/\/|^https?:|^[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b|^(?:assets|cards(?!\/[0-9/]*$)|images|img)\/|(?:^|\s)www\.|^\/\/|^\\\\|^(?:mailto|javascript|ftp|tel):|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::[0-9]+)?[/?#]|(?:^|\s)(?:[a-z0-9-]+\.)+(?:com|net|org|info|shop|store|io)(?![a-z0-9.])|^(?![0-9]+\.[a-z]{2}$)(?:[a-z0-9-]+\.)+(?:jp|de|fr|it|es|eu|uk|cn|kr|tw|ly|xyz|app|dev|gg|tv|nl|ca|pl|cc)$|^\/[^/ ]+\/|@[a-z0-9-]+\.[a-z]{2,}$/i
const picture =
  /^(?:data|blob):|\.(?:avif|bmp|gif|heic|ico|jfif|jpe?g|jxl|png|psd|svg|tiff?|webp)(?![a-z0-9])|^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+/]{80,}={0,2}$/i
const markup =
  /<\/?(?:a|b|br|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|script|span|strong|style|su[bp]|svg|table|t[dhr]|u|ul)\b[^>]*>|<!--|\]\(|^\{.*:.*\}$|^\[.*[{"].*\]$/is

/** What a value looks like that cannot be a field of a card. */
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
 * Whether a text has only plain words and numbers, as most have: it then matches none of the forms and has no control
 * characters.
 */
export const isOrdinary = (text: string): boolean => ordinary.test(text) && !currencyWord.test(text)

/** The number of characters checked. A longer text is not stored anyway. */
const maxChecked = 1000

/**
 * Matches UUIDs (RFC 9562 §4) and hexadecimal numbers as long as hashes. They are masked so that `3cad` within one is
 * not taken for an amount, nor a long one for an embedded picture.
 */
const certainIds = /(?<![\p{L}0-9])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,})(?![\p{L}0-9])/giu
/** Matches shorter ids too. Used only for the id of a row; elsewhere `12345cad` may be an amount. */
const likelyIds = /(?<![\p{L}0-9])[0-9a-f]{8,}(?:[-_][0-9a-f]{4,})*(?![\p{L}0-9])/giu
const withoutIds = (text: string, isId: boolean): string =>
  /[0-9a-f]{8}/i.test(text) ? text.replace(isId ? likelyIds : certainIds, 'x') : text

/**
 * Returns what a text looks like if it cannot be a field of a card, or `undefined`. `excepted`: forms that are allowed;
 * `isId`: whether the text is the id of a row.
 */
export function withheldByForm(
  written: string,
  { excepted, isId = false }: Readonly<{ excepted?: ReadonlySet<Form>; isId?: boolean }> = {}
): Form | undefined {
  const text = withoutIds(decoded(written), isId)
  if (harmless.test(text) && text.length < 80)
    return excepted?.has('a price') !== true && currencyWord.test(text) && money.test(text) ? 'a price' : undefined
  const start = text.slice(0, maxChecked)
  return forms.find(([what, form]) => excepted?.has(what) !== true && form.test(start))?.[0]
}

/** Whether a text looks like a product number of a shop or database: five digits or more. */
export const isProductNumber = (text: string): boolean => /^#?[0-9]{5,}$/.test(bare(text))

/** Whether a text is only a number with decimals, as amounts are. */
export const isDecimal = (text: string): boolean => /^[+~-]?[0-9]+[.,][0-9]+\*?$/.test(bare(text))

/** Whether a text is a product number or a decimal number; no name, rarity or other word of a card is one. */
export const isBareNumber = (text: string): boolean => isProductNumber(text) || isDecimal(text)
