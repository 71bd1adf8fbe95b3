import { humanise, Table, type VNode } from 'pantry/page'
import { languageName, wrap } from '../common/words.ts'

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

const isColour = (name: string): boolean => /^colou?rs?$/.test(name)

/** Returns the attributes that fit on a card face: the first four short ones, in document order, without colours. */
const faceLines = (attributes: Attributes): string[] =>
  Object.entries(attributes)
    .filter(([name, value]) => !isColour(name) && listOf(value).length > 0 && valueText(value).length <= 18)
    .slice(0, 4)
    .map(([name, value]) => `${humanise(name)}: ${valueText(value)}`)

type FaceProps = Readonly<{ name: string | null; number: string; rarity: string | null; attributes: Attributes }>

/** Colours that are drawn as bars; others are left out. */
const drawn = ['red', 'green', 'blue', 'purple', 'black', 'yellow', 'white', 'brown', 'orange', 'pink']

/** Whether a text contains a script with wide characters and no spaces. */
const isWide = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)

/** A card drawn as text from its data. No images of publishers are stored or shown. */
export function CardFace({ name, number, rarity, attributes }: FaceProps): VNode {
  const lines = faceLines(attributes)
  const bars = Object.entries(attributes)
    .filter(([name]) => isColour(name))
    .flatMap(([, value]) => listOf(value))
    .map(colour => colour.toLowerCase())
    .filter(colour => drawn.includes(colour))
  const width = 176 / Math.max(1, bars.length)
  return (
    <svg
      class="face"
      viewBox="0 0 200 280"
      role="img"
      aria-label={[name ?? 'Card without a name', number, rarity, ...lines].filter(Boolean).join(', ')}
    >
      <rect class="paper" x="1" y="1" width="198" height="278" rx="12" />
      {bars.length === 0 ? (
        <rect class="bar" x="12" y="44" width="176" height="4" />
      ) : (
        bars.map((colour, at) => <rect class={`bar ${colour}`} x={12 + at * width} y="44" width={width} height="6" />)
      )}
      <text class="number" x="12" y="30">
        {number}
      </text>
      {rarity === null ? null : (
        <text class="rarity" x="188" y="30">
          {wrap(rarity, 10, 1)[0]}
        </text>
      )}
      {wrap(name ?? '—', isWide(name ?? '') ? 9 : 14, 5).map((line, at) => (
        <text class="name" x="12" y={80 + at * 23}>
          {line}
        </text>
      ))}
      {lines.map((line, at) => (
        <text class="line" x="12" y={258 - (lines.length - 1 - at) * 18}>
          {wrap(line, 24, 1)[0]}
        </text>
      ))}
    </svg>
  )
}

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

/** Compares texts in natural order; an empty one comes last. */
const byText =
  (textOf: (card: NumberedCard) => string) =>
  (a: NumberedCard, b: NumberedCard): number =>
    Number(textOf(a) === '') - Number(textOf(b) === '') || textOf(a).localeCompare(textOf(b), 'en', { numeric: true })

/** The sort orders that every set has; `number` keeps the order of the set. */
const usual: Readonly<Record<string, (a: NumberedCard, b: NumberedCard) => number>> = {
  number: () => 0,
  name: byText(({ name }) => name ?? ''),
  rarity: byText(({ rarity }) => rarity ?? ''),
  printings: (a, b) => b.printings.length - a.printings.length
}

/** Returns the sort orders: the usual ones, and attributes that most of the cards have, with more than one value. */
export function ordersOf(cards: readonly NumberedCard[]): readonly string[] {
  const attributes = new Set(cards.flatMap(card => Object.keys(card.attributes)))
  const sortable = [...attributes].filter(name => {
    const values = cards.map(card => listOf(card.attributes[name]).join()).filter(text => text !== '')
    return !(name in usual) && values.length * 2 > cards.length && new Set(values).size > 1
  })
  return [...Object.keys(usual), ...sortable]
}

/** Sorts by a name from `ordersOf`. Cards without a value come last, and equal ones keep the order of the set. */
export function sortedBy(cards: readonly NumberedCard[], order: string): readonly NumberedCard[] {
  return [...cards].sort(usual[order] ?? byText(({ attributes }) => listOf(attributes[order]).join()))
}

/** Counts the card numbers of each rarity, the most frequent first. */
export function countRarities(cards: readonly NumberedCard[]): { label: string; value: number }[] {
  const counts = new Map<string, number>()
  for (const { rarity } of cards) counts.set(rarity ?? 'not given', (counts.get(rarity ?? 'not given') ?? 0) + 1)
  return [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value)
}

type CardsProps = Readonly<{ caption: string; cards: readonly NumberedCard[]; hrefOf: (number: string) => string }>

export const CardTable = ({ caption, cards, hrefOf }: CardsProps): VNode => (
  <Table
    caption={caption}
    rows={cards}
    none="No card of the set is held."
    columns={[
      { head: 'Number', cell: ({ number }) => <a href={hrefOf(number)}>{number}</a> },
      { head: 'Name', cell: ({ name }) => name ?? 'not given' },
      { head: 'Rarity', cell: ({ rarity }) => rarity ?? 'not given' },
      {
        head: 'Languages',
        cell: ({ printings }) => [...new Set(printings.map(({ lang }) => lang))].map(languageName).join(', ')
      },
      { head: 'Printings', cell: ({ printings }) => printings.length, isNumber: true }
    ]}
  />
)

export const CardFaces = ({ caption, cards, hrefOf }: CardsProps): VNode => (
  <ul class="faces" aria-label={caption}>
    {cards.map(card => (
      <li>
        <a href={hrefOf(card.number)}>
          <CardFace {...card} />
        </a>
      </li>
    ))}
  </ul>
)
