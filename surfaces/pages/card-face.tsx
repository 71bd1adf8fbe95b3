import { Table, type Column, type VNode } from 'pantry/page'
import { languageName } from '../common/words.ts'
import { faceSizes, type FaceSize } from '../faces/draw-face.ts'

/** Structural attributes of a card: each value is a text, a number, a boolean, or a list of them. */
type Attributes = Readonly<Record<string, unknown>>

const plain = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const listOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(plain).filter(text => text !== '')

/** Formats an attribute value; `none` if it is empty. */
export const valueText = (value: unknown): string => listOf(value).join(', ') || 'none'

type FaceProps = Readonly<{
  sku: string
  size: FaceSize
  /** What the face shows, in words; empty where the words beside it say it. */
  alt: string
  /** Whether it is below the first screen, so that it is loaded when it is scrolled to. */
  isLate?: boolean
}>

/** A card drawn from its facts. No images of publishers are stored or shown. */
export const CardFace = ({ sku, size, alt, isLate = false }: FaceProps): VNode => (
  <img
    class={`face ${size}`}
    src={`/api/v1/cards/${encodeURIComponent(sku)}/face?size=${size}`}
    alt={alt}
    width={faceSizes[size].width}
    height={faceSizes[size].height}
    loading={isLate ? 'lazy' : undefined}
    decoding="async"
  />
)

type FoundProps = Readonly<{ sku: string; name: string | null; number: string; href: string }>

/** A card that was found: its face as a thumb, and its name, which leads to its page. */
export const FoundCard = ({ sku, name, number, href }: FoundProps): VNode => (
  <a class="found" href={href}>
    <CardFace sku={sku} size="thumb" alt="" isLate />
    {name ?? number}
  </a>
)

/** The printing that a page was asked about in its query: its face, and a link to its page. */
export const AskedCard = ({ sku, name = sku }: Readonly<{ sku: string; name?: string | undefined }>): VNode => (
  <p>
    <FoundCard sku={sku} name={name} number={sku} href={`/product/${encodeURIComponent(sku)}`} />
  </p>
)

type Printing = Readonly<{
  sku: string
  name: string | null
  card_number: string
  rarity: string | null
  lang: string
  variant: string | null
  attributes: Attributes | null
}>

/** A card number of a set with its printings. Name, rarity and attributes come from the first printing. */
type NumberedCard = Readonly<{
  number: string
  name: string | null
  rarity: string | null
  attributes: Attributes
  printings: readonly Printing[]
}>

/** Groups the printings of a set by number, in the given order. */
export function byNumber(printings: readonly Printing[]): NumberedCard[] {
  const groups = new Map<string, Printing[]>()
  for (const one of printings) groups.set(one.card_number, [...(groups.get(one.card_number) ?? []), one])
  return [...groups].map(([number, all]) => ({
    number,
    name: all[0]?.name ?? null,
    rarity: all[0]?.rarity ?? null,
    attributes: all[0]?.attributes ?? {},
    printings: all
  }))
}

/** The sort orders that every set has; `number` keeps the order of the set, and `printings` puts the most first. */
const usual: readonly string[] = ['number', 'name', 'rarity', 'printings']

/** Returns the sort orders: the usual ones, and attributes that most of the cards have, with more than one value. */
export function ordersOf(cards: readonly NumberedCard[]): readonly string[] {
  const attributes = new Set(cards.flatMap(card => Object.keys(card.attributes)))
  const sortable = [...attributes].filter(name => {
    const values = cards.map(card => listOf(card.attributes[name]).join()).filter(text => text !== '')
    return !usual.includes(name) && values.length * 2 > cards.length && new Set(values).size > 1
  })
  return [...usual, ...sortable]
}

/** Returns the text of a card by which an order sorts it. */
const textIn = ({ name, rarity, attributes }: NumberedCard, order: string): string =>
  order === 'name' ? (name ?? '') : order === 'rarity' ? (rarity ?? '') : listOf(attributes[order]).join()

/**
 * Sorts by a name from `ordersOf`, texts in natural order, the other way round after `-`. Cards without a value come
 * last, and equal ones keep the order of the set.
 */
export function sortedBy(cards: readonly NumberedCard[], sort: string): readonly NumberedCard[] {
  const [order, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  if (order === 'number') return sign === 1 ? cards : [...cards].reverse()
  if (order === 'printings') return [...cards].sort((a, b) => sign * (b.printings.length - a.printings.length))
  return [...cards].sort((a, b) => {
    const [one, other] = [textIn(a, order), textIn(b, order)]
    const byValue = Number(one === '') - Number(other === '')
    return byValue || sign * one.localeCompare(other, 'en', { numeric: true })
  })
}

/** Counts the card numbers of each rarity, the most frequent first. */
export function countRarities(cards: readonly NumberedCard[]): { label: string; value: number }[] {
  const counts = new Map<string, number>()
  for (const { rarity } of cards) counts.set(rarity ?? 'not given', (counts.get(rarity ?? 'not given') ?? 0) + 1)
  return [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value)
}

type CardsProps = Readonly<{ caption: string; cards: readonly NumberedCard[]; hrefOf: (number: string) => string }>

/** `sort` is the order of the cards, and `sortTo` returns where they are in another one. */
type SortProps = Readonly<{ sort: string; sortTo: (sort: string) => string }>

/** The orders that the headings of `CardTable` have. */
export const headed = usual

/** Returns the order that is the other way round. */
export const reversed = (sort: string): string => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`)

export const CardTable = ({ caption, cards, hrefOf, sort, sortTo }: CardsProps & SortProps): VNode => {
  const by = (order: string): NonNullable<Column<never>['sort']> => ({
    href: sortTo(sort === order ? reversed(order) : order),
    order:
      sort.replace(/^-/, '') !== order
        ? undefined
        : (order === 'printings') === (sort === order)
          ? 'descending'
          : 'ascending'
  })
  return (
    <Table
      caption={caption}
      rows={cards}
      none="No card of the set is held."
      columns={[
        { head: 'Number', cell: ({ number }) => <a href={hrefOf(number)}>{number}</a>, sort: by('number') },
        { head: 'Name', cell: ({ name }) => name ?? 'not given', sort: by('name') },
        { head: 'Rarity', cell: ({ rarity }) => rarity ?? 'not given', sort: by('rarity') },
        {
          head: 'Languages',
          cell: ({ printings }) => [...new Set(printings.map(({ lang }) => lang))].map(languageName).join(', ')
        },
        { head: 'Printings', cell: ({ printings }) => printings.length, isNumber: true, sort: by('printings') }
      ]}
    />
  )
}

/** How many faces are on the first screen of most devices. */
const firstScreen = 8

export const CardFaces = ({ caption, cards, hrefOf }: CardsProps): VNode => (
  <ul class="faces" aria-label={caption}>
    {cards.map(({ number, name, printings }, at) => (
      <li>
        <a href={hrefOf(number)}>
          <CardFace sku={printings[0]?.sku ?? ''} size="tile" alt="" isLate={at >= firstScreen} />
          <span>
            {number} {name ?? 'without a name'}
          </span>
        </a>
      </li>
    ))}
  </ul>
)
