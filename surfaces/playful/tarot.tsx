import type { DataOf } from 'pantry/data'
import { humanise, Type, type VNode } from 'pantry/page'
import { emblems } from './tarot-emblems.ts'

const numerals = [
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I']
] as const

export function roman(number: number): string {
  const first = numerals.find(([value]) => value <= number)
  return first === undefined ? '' : first[1] + roman(number - first[0])
}

type Drawn = Readonly<{ number: number; slug: string; name: string }>

/** The number of background colours, which are used in turn, so that neighbouring cards differ. */
const grounds = 6

/**
 * A trump of 200 × 340 units, in the colours of `tarot.css`. Hidden from screen readers, because the name appears next
 * to it as text.
 */
export function Trump({
  card: { number, slug, name },
  isReversed = false
}: Readonly<{ card: Drawn; isReversed?: boolean }>): VNode {
  const { soft, line, gold } = emblems[slug] ?? {}
  return (
    <svg class={`tarot ground${number % grounds}`} viewBox="0 0 200 340" aria-hidden="true">
      <g transform={isReversed ? 'rotate(180 100 170)' : undefined}>
        <rect class="paper" x="1" y="1" width="198" height="338" rx="12" />
        <rect class="frame" x="9" y="9" width="182" height="322" rx="7" />
        <rect class="ground" x="14" y="14" width="172" height="312" rx="4" />
        <path class="frame" d="M14 50H186M14 288H186" />
        <text x="100" y="39" class="numeral">
          {number === 0 ? '0' : roman(number)}
        </text>
        <g transform="translate(100 169) scale(1.25)">
          {soft === undefined ? null : <path class="soft" d={soft} />}
          {line === undefined ? null : <path class="line" d={line} />}
          {gold === undefined ? null : <path class="gold" d={gold} />}
        </g>
        <text
          x="100"
          y="313"
          class="title"
          textLength={name.length > 15 ? 160 : undefined}
          lengthAdjust={name.length > 15 ? 'spacingAndGlyphs' : undefined}
        >
          {name}
        </text>
      </g>
    </svg>
  )
}

const text = Type.String()

export const Card = Type.Object({
  number: Type.Integer(),
  slug: text,
  name: text,
  traditional_meaning: text,
  upright: text,
  reversed: text,
  fortune_line: text,
  pointer_url: text,
  pointer_what: text
})
export type Card = DataOf<typeof Card>

export const Deck = Type.Object({
  history: text,
  disclaimer: text,
  deck: Type.Array(Type.Object({ number: Type.Integer(), slug: text, name: text }))
})

export const pathOf = ({ slug }: Pick<Card, 'slug'>): string => `/tarot/${slug}`

export const Pointer = ({ card }: Readonly<{ card: Card }>): VNode => (
  <p>
    It points to{' '}
    <a href={card.pointer_url}>
      <code>{card.pointer_url}</code>
    </a>{' '}
    (data): {card.pointer_what}
  </p>
)

export const Pack = ({ deck }: Readonly<{ deck: readonly Pick<Card, 'number' | 'slug' | 'name'>[] }>): VNode => (
  <ul class="pack">
    {deck.map(card => (
      <li>
        <a href={pathOf(card)}>
          <Trump card={card} />
          <span>{card.name}</span>
        </a>
      </li>
    ))}
  </ul>
)

export const Draw = Type.Object({
  drawn_from: text,
  spread: text,
  spread_shape: Type.Object({ name: text, how_to_read_it: text }),
  draws: Type.Array(Type.Object({ position: text, meaning: text, orientation: text, reading: text, card: Card })),
  protocol: Type.Object({ spread_names: Type.Array(text) }),
  disclaimer: text
})

const names: Readonly<Record<string, string>> = {
  single: 'One card',
  three: 'A row of three',
  cross: 'A cross of five'
}

export const spreadName = (spread: string): string => names[spread] ?? humanise(spread)

export const Place = ({
  draw: { position, meaning, orientation, reading, card }
}: Readonly<{ draw: DataOf<typeof Draw>['draws'][number] }>): VNode => (
  <li class={`place ${position}`}>
    <h3>{humanise(position)}</h3>
    <p class="note">{meaning}</p>
    <Trump card={card} isReversed={orientation === 'reversed'} />
    <p>
      <a href={pathOf(card)}>{card.name}</a>, {orientation}
    </p>
    <p>{reading}</p>
    <p>
      <em>{card.fortune_line}</em>
    </p>
    <Pointer card={card} />
  </li>
)
