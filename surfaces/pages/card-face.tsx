import type { VNode } from 'pantry/page'
import { wrap } from './words.ts'

/** The text on a card face. `colours` use the names of the game; `lines` are short facts. */
type FaceOf = Readonly<{
  name: string | null
  number: string
  rarity: string | null
  colours?: readonly string[]
  lines?: readonly string[]
}>

/** Colours that are drawn; others are left out. */
const known = ['red', 'green', 'blue', 'purple', 'black', 'yellow', 'white', 'brown', 'orange', 'pink']

/** Whether a text contains a script with wide characters and no spaces. */
const isWide = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)

const linesOf = (name: string): readonly string[] => (isWide(name) ? wrap(name, 9, 5) : wrap(name, 14, 5))

/** A card drawn as text from its data. No images of publishers are stored or shown. */
export function CardFace({ name, number, rarity, colours = [], lines = [] }: FaceOf): VNode {
  const bars = colours.map(colour => colour.toLowerCase()).filter(colour => known.includes(colour))
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
      {linesOf(name ?? '—').map((line, at) => (
        <text class="name" x="12" y={80 + at * 23}>
          {line}
        </text>
      ))}
      {lines.slice(0, 4).map((line, at) => (
        <text class="line" x="12" y={258 - (Math.min(lines.length, 4) - 1 - at) * 18}>
          {wrap(line, 24, 1)[0]}
        </text>
      ))}
    </svg>
  )
}
