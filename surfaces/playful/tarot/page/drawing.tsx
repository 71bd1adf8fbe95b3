import type { VNode } from 'pantry/page'
import { emblems } from './emblems.ts'

const numerals = [
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I']
] as const

/** Returns a Roman numeral as on tarot cards. */
export function roman(number: number): string {
  const first = numerals.find(([value]) => value <= number)
  return first === undefined ? '' : first[1] + roman(number - first[0])
}

type Drawn = Readonly<{ number: number; slug: string; name: string }>

/** The number of background colours, so that neighbouring cards differ. */
const grounds = 6

/**
 * Draws a trump of 200 × 340 units: numeral, emblem and name in a double frame, in the colours of `tarot.css`. It is
 * hidden from screen readers, because the name appears next to it as text.
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
