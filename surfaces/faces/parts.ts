/** The parts that faces of all sizes are drawn from. */
import { escapeXml } from 'pantry/data'
import { Dice } from '../common/dice.ts'
import { decimal, lace, rays } from '../common/guilloche.ts'
import { cutTo, linesOf, widthOfLine } from '../common/text-width.ts'
import { foils, type Foil, type FaceLook } from './look.ts'

export const serif = 'Iowan Old Style,Palatino,Noto Serif,Noto Serif CJK JP,Hiragino Mincho ProN,Georgia,serif'

type Words = Readonly<{
  x: number
  y: number
  size: number
  text: string
  /** How wide the text may be. */
  room: number
  anchor?: 'start' | 'middle' | 'end'
  bold?: boolean
  italic?: boolean
  fill?: string
  lang?: string | undefined
}>

/** How much wider bold letters are than the estimate for others. */
const boldness = 1.13

/** Writes a line of text that is never wider than its room, in any font: a full one is set to its estimated width. */
export function words({ x, y, size, text, room, anchor, bold, italic, fill, lang }: Words): string {
  const unit = size * (bold === true ? boldness : 1)
  const line = cutTo(text, room / unit)
  const width = widthOfLine(line) * unit
  const full =
    width > room * 0.8 ? ` textLength="${decimal(Math.min(width, room))}" lengthAdjust="spacingAndGlyphs"` : ''
  return (
    `<text x="${decimal(x)}" y="${decimal(y)}" font-size="${size}"` +
    (anchor === undefined || anchor === 'start' ? '' : ` text-anchor="${anchor}"`) +
    (bold === true ? ' font-weight="700"' : '') +
    (italic === true ? ' font-style="italic"' : '') +
    (fill === undefined ? '' : ` fill="${fill}"`) +
    (lang === undefined ? '' : ` lang="${escapeXml(lang)}"`) +
    `${full}>${escapeXml(line)}</text>`
  )
}

type NameBox = Readonly<{ x: number; top: number; height: number; room: number; sizes: readonly [number, number][] }>

/**
 * Writes a name in the middle of a box: in the first of the `sizes` (of letters, and the most lines) in which it is
 * whole, or else cut in the last.
 */
export function nameIn(name: string, lang: string, { x, top, height, room, sizes }: NameBox): string {
  const [last = [12, 1]] = sizes.slice(-1)
  const set = sizes.map(([size, most]) => ({ size, ...linesOf(name, room / size / boldness, most) }))
  const { size, lines } = set.find(({ whole }) => whole) ?? { size: last[0], lines: set.at(-1)?.lines ?? [] }
  const step = size * 1.16
  const first = top + height / 2 - ((lines.length - 1) * step) / 2 + size * 0.35
  return lines
    .map((text, at) =>
      words({
        x,
        y: first + at * step,
        size,
        text,
        room,
        anchor: 'middle',
        bold: true,
        lang: lang === 'en' ? undefined : lang
      })
    )
    .join('')
}

/** Draws a glyph whose square has its middle at a point. */
export const glyph = (path: string, x: number, y: number, size: number, fill: string): string =>
  `<path transform="translate(${decimal(x - size / 2)} ${decimal(y - size / 2)}) scale(${Math.round((size / 24) * 1000) / 1000})" fill="${fill}" d="${path}"/>`

const metals = { none: '#b8b0a0', 0: '#b8b0a0', 1: '#8f8570', 2: '#84919e', 3: '#b28a2e', 4: 'url(#m)' } as const

/** The colour of lines and edges for the rarity of a card. */
export const metalOf = ({ grade, inks: [ink] }: FaceLook): string =>
  grade === 'apart' ? (ink?.deep ?? '') : metals[grade]

/** The paints that a face refers to; its own, so that it needs nothing from outside. */
export function paints({ grade, foil }: FaceLook): string {
  const shine =
    grade === 4
      ? '<linearGradient id="m" x2="1" y2="1"><stop stop-color="#e8c45a"/><stop offset=".3" stop-color="#c98fb0"/><stop offset=".55" stop-color="#6fb7b2"/><stop offset=".8" stop-color="#e3b84a"/><stop offset="1" stop-color="#9a7cc0"/></linearGradient>'
      : ''
  return shine + (foil === undefined ? '' : foilPaints(foil))
}

/** Patterns of foil in a square of 8 units; lines, and what is filled. */
const patterns: readonly Readonly<{ turn: number; path: string; filled?: true }>[] = [
  { turn: 45, path: 'M4 0V8' },
  { turn: 0, path: 'M4 2.2A1.8 1.8 0 0 1 4 5.8A1.8 1.8 0 0 1 4 2.2Z', filled: true },
  { turn: 45, path: 'M4 0V8M0 4H8' },
  { turn: 0, path: 'M0 6L4 2L8 6' },
  { turn: 0, path: 'M0 4Q2 0 4 4T8 4' },
  { turn: 0, path: 'M4 1L7 4L4 7L1 4Z', filled: true },
  { turn: 0, path: 'M4 1A3 3 0 0 1 4 7A3 3 0 0 1 4 1Z' },
  { turn: 0, path: 'M4 1.5V6.5M1.5 4H6.5' },
  { turn: 90, path: 'M0 0H8M0 4H8M2 0V4M6 4V8' },
  { turn: 15, path: 'M4 0L8 8H0Z', filled: true }
]
const tints = ['#ffe9a0', '#c9fff4', '#ffd3e6', '#ffffff', '#e0d0ff'] as const

function foilPaints({ pattern, tint }: Foil): string {
  const { turn, path, filled } = patterns[pattern % foils.patterns] ?? patterns[0] ?? { turn: 0, path: '' }
  const colour = tints[tint % foils.tints] ?? ''
  const drawn = filled === true ? `fill="${colour}"` : `fill="none" stroke="${colour}" stroke-width="1.5"`
  return (
    `<pattern id="f" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})"><path d="${path}" ${drawn}/></pattern>` +
    `<linearGradient id="s" x2="1" y2="1"><stop stop-color="${colour}" stop-opacity=".1"/><stop offset=".45" stop-color="${colour}" stop-opacity=".45"/><stop offset=".6" stop-color="${colour}" stop-opacity=".05"/><stop offset="1" stop-color="${colour}" stop-opacity=".4"/></linearGradient>`
  )
}

type Sheet = Readonly<{ width: number; height: number; unit: number }>

const rim = (inset: number, { width, height, unit }: Sheet, rest: string): string => {
  const at = inset * unit
  return `<rect x="${decimal(at)}" y="${decimal(at)}" width="${decimal(width - 2 * at)}" height="${decimal(height - 2 * at)}" ${rest}/>`
}

/** Draws the paper. Its edge says how rare the card is: smooth, fine or wide scallops, metal, or notches. */
export function paper(look: FaceLook, sheet: Sheet): string {
  const { unit } = sheet
  const [colour, metal] = [look.inks[0]?.paper ?? '', metalOf(look)]
  const edge = (inset: number, pitch: number, paint: string, more = 0): string =>
    rim(
      inset,
      sheet,
      `fill="${paint}" stroke="${paint}" stroke-width="${decimal((inset * 2 + more) * unit)}" stroke-dasharray="0 ${decimal(pitch * unit)}" stroke-linecap="round"`
    )
  const line = (inset: number, width: number): string =>
    rim(inset, sheet, `fill="none" stroke="${metal}" stroke-width="${decimal(width * unit)}"`)
  switch (look.grade) {
    case 'none':
    case 0:
      return rim(0.5, sheet, `fill="${colour}" stroke="${metal}" stroke-width="${unit}"`)
    case 'apart':
      return (
        rim(
          2,
          sheet,
          `fill="${colour}" stroke="${metal}" stroke-width="${decimal(4 * unit)}" stroke-dasharray="${decimal(5 * unit)}"`
        ) + line(5.5, 0.8)
      )
    case 1:
      return edge(2.2, 4, metal) + edge(2.6, 4, colour, -1.2) + rim(3, sheet, `fill="${colour}"`)
    case 2:
      return edge(4, 8, metal) + edge(4, 8, colour, -1.4) + line(6, 0.8)
    case 3:
      return edge(4, 8, metal, 0.4) + edge(4, 8, colour, -1.8) + line(5.2, 0.7) + line(6.8, 0.7)
    case 4:
      return edge(4, 8, metal, 0.6) + rim(4, sheet, `fill="${colour}"`) + line(5.4, 0.9) + line(7, 0.9)
  }
}

type Field = Readonly<{ x: number; y: number; width: number; height: number; detail: 'thumb' | 'tile' | 'poster' }>

/** Draws the colours side by side, with slanted borders between them. */
function colours({ inks }: FaceLook, width: number, height: number): string {
  const [left, top, slant] = [-width / 2, -height / 2, height * 0.22]
  return inks
    .map(({ deep }, at) => {
      const from = left + (at * width) / inks.length
      return at === 0
        ? `<rect x="${decimal(left)}" y="${decimal(top)}" width="${width}" height="${height}" fill="${deep}"/>`
        : `<path d="M${decimal(from + slant)} ${decimal(top)}H${decimal(-left)}V${decimal(-top)}H${decimal(from - slant)}Z" fill="${deep}"/>`
    })
    .join('')
}

/** Draws the line work that follows from the hash of the card. */
function rosette({ facts, inks: [ink] }: FaceLook, height: number, detail: Field['detail']): string {
  const dice = new Dice(facts.content_hash)
  const colour = ink?.line ?? ''
  if (detail === 'thumb')
    return lace(dice, 'a', {
      radius: height * 0.5,
      swing: height * 0.2,
      petals: [5, 8],
      turns: 3,
      colour,
      width: 0.6,
      steps: 4
    })
  const outer = (turns: number, steps: number, width: number): string =>
    lace(dice, 'a', { radius: height * 0.6, swing: height * 0.25, petals: [6, 11], turns, colour, width, steps })
  if (detail === 'tile') return `<g opacity=".75">${outer(6, 4, 0.5)}</g>`
  const inner = { radius: height * 0.4, swing: height * 0.06, petals: [9, 15], turns: 3, colour, width: 0.7 } as const
  return `<g opacity=".7">${outer(6, 9, 0.7)}${lace(dice, 'b', inner)}</g>${digits(facts.content_hash, height, colour)}`
}

const digits = (hash: string, height: number, colour: string): string =>
  `<path d="${rays(hash, height * 0.3, height * 0.004)}" stroke="${colour}" stroke-width="2" stroke-linecap="round"/>`

const secondary = ({ marks, inks }: FaceLook, width: number, radius: number): string =>
  marks
    .slice(1, 3)
    .map(({ path }, at) => {
      const x = (at === 0 ? -1 : 1) * width * 0.37
      const ink = at === 0 ? inks[0] : inks.at(-1)
      return `<circle cx="${decimal(x)}" r="${radius}" fill="${ink?.dark ?? ''}" stroke="${ink?.line ?? ''}" stroke-width=".8"/>${glyph(path, x, 0, radius * 1.2, ink?.line ?? '')}`
    })
    .join('')

/** Draws dots in a row, as the dashes of a line that have no length. */
function pips({ numbers, inks: [ink] }: FaceLook, height: number, size: number): string {
  const count = numbers.find(({ pips }) => pips > 0)?.pips ?? 0
  const step = size * 3.2
  const line = (width: number, colour: string): string =>
    `<path d="M${decimal((-(count - 1) * step) / 2)} ${decimal(height / 2 - size * 2.4)}h${decimal((count - 0.9) * step)}" stroke="${colour}" stroke-width="${decimal(width)}" stroke-linecap="round" stroke-dasharray="0 ${decimal(step)}"/>`
  return count === 0 ? '' : line(size * 2.6, ink?.dark ?? '') + line(size * 2, ink?.paper ?? '')
}

/** Draws the field: colours, line work, foil, and the glyphs of what the card is. */
export function field(look: FaceLook, { x, y, width, height, detail }: Field): string {
  const [ink] = look.inks
  const middle = height * (detail === 'thumb' ? 0.33 : 0.25)
  const cover = (paint: string, opacity: string): string =>
    `<rect x="${decimal(-width / 2)}" y="${decimal(-height / 2)}" width="${width}" height="${height}" fill="url(#${paint})"${opacity}/>`
  const foil = look.foil === undefined ? '' : cover('s', '') + cover('f', ' opacity=".75"')
  const main = look.marks[0]?.path ?? look.symbol
  return (
    `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${decimal(-width / 2)} ${decimal(-height / 2)} ${width} ${height}">` +
    colours(look, width, height) +
    rosette(look, height, detail) +
    foil +
    `<circle r="${decimal(middle)}" fill="${ink?.dark ?? ''}" stroke="${ink?.line ?? ''}" stroke-width="${detail === 'poster' ? 1.6 : 1}"/>` +
    glyph(main, 0, 0, middle * 1.22, ink?.paper ?? '') +
    (detail === 'thumb' ? '' : secondary(look, width, decimalRadius(height)) + pips(look, height, height * 0.022)) +
    '</svg>'
  )
}

const decimalRadius = (height: number): number => Math.round(height * 1.15) / 10
