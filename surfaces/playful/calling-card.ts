import { escapeXml } from 'pantry/data'
import { Dice } from '../common/dice.ts'
import { decimal, lace, rays } from '../common/guilloche.ts'
import { graphemesOf, widthOfLine } from '../common/text-width.ts'

export const nobody = 'A passer-by'

/**
 * Returns a name in NFC, without control characters and marks that change the text direction (Unicode Bidirectional
 * Algorithm, UAX #9 section 2), with single spaces and at most four combining marks per letter.
 */
export function nameOf(text: string | undefined): string {
  const name = (text ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  return name === '' ? nobody : name
}

/** Splits a text at the space nearest to its middle, or else in the middle. */
function halves(text: string): readonly string[] {
  const parts = graphemesOf(text)
  const middle = parts.length / 2
  const spaces = parts
    .flatMap((part, index) => (part === ' ' ? [index] : []))
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  const at = spaces[0] ?? Math.ceil(middle)
  return [parts.slice(0, at).join('').trim(), parts.slice(at).join('').trim()].filter(line => line !== '')
}

/** Fits a name into one or two lines of at most `width` units. `widths` are estimates. */
export function fitName(name: string, width: number, largest: number) {
  const sized = (lines: readonly string[]) => {
    const size = Math.min(
      lines.length === 1 ? largest : largest * 0.7,
      width / Math.max(...lines.map(widthOfLine), 0.1)
    )
    return { lines, size: Math.round(size * 10) / 10, widths: lines.map(line => Math.round(widthOfLine(line) * size)) }
  }
  const whole = sized([name])
  return whole.size >= largest * 0.62 ? whole : sized(halves(name))
}

const hsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${Math.round(hue) % 360} ${saturation}% ${lightness}%)`

/**
 * Returns the colours of a card; `dice` choose two hues. The contrast of `ink` on `paper` and on `paperEdge` is above
 * 7:1 (WCAG 2.2, 1.4.6).
 */
function paletteOf(dice: Dice, night: boolean) {
  const hue = dice.between(0, 360)
  const other = hue + dice.between(30, 80)
  return night
    ? {
        paper: '#1b2140',
        paperEdge: '#0b0e1f',
        ink: '#f6edd6',
        quiet: '#c9c2ae',
        metal: '#d9b868',
        first: hsl(hue, 62, 76),
        second: hsl(other, 55, 72),
        third: '#e8cf8f'
      }
    : {
        paper: '#fdf9ef',
        paperEdge: '#f1e7d0',
        ink: '#25201a',
        quiet: '#5d5344',
        metal: '#a5823a',
        first: hsl(hue, 50, 34),
        second: hsl(other, 44, 40),
        third: '#b5913f'
      }
}

type Palette = ReturnType<typeof paletteOf>

type CallingCardFacts = Readonly<{
  name: string
  /** Shown in capitals at the top. */
  house: string
  /** 64 hexadecimal digits from which the ornament is drawn. */
  hash: string
  night: boolean
  /** Such as `2026-11-20`. */
  date: string
}>

const width = 500
const height = 700
const centre = { x: 250, y: 284 }

const serif =
  "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','URW Palladio L','Noto Serif',Georgia,serif"

const months = 'January February March April May June July August September October November December'.split(' ')

/** Formats a date as `20 November 2026`. */
const longDate = (date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-')
  return `${Number(day)} ${months[Number(month) - 1] ?? ''} ${year}`
}

function frame({ metal }: Palette): string {
  const corner =
    Array.from({ length: 5 }, (_, index) => {
      const reach = 14 + index * 9
      return `<path d="M${reach} 0A${reach} ${reach} 0 0 1 0 ${reach}"/>`
    }).join('') +
    '<path d="M4 4L33 33" stroke-linecap="round"/><circle cx="37" cy="37" r="2.2" fill="currentColor" stroke="none"/>'
  const corners = [
    'translate(30 30)',
    'translate(470 30) scale(-1 1)',
    'translate(30 670) scale(1 -1)',
    'translate(470 670) scale(-1 -1)'
  ]
    .map(transform => `<g transform="${transform}">${corner}</g>`)
    .join('')
  return (
    `<g fill="none" stroke="${metal}" color="${metal}"><rect x="18" y="18" width="464" height="664" rx="14" stroke-width="1.6"/>` +
    `<rect x="24" y="24" width="452" height="652" rx="10" stroke-width="0.6"/><g stroke-width="0.9">${corners}</g></g>`
  )
}

const inWords = (x: number, y: number): boolean =>
  (y > 488 && y < 600 && x > 56 && x < 444) || (y >= 580 && x > 120 && x < 380) || (y < 84 && x > 130 && x < 370)
const inCorner = (x: number, y: number): boolean => Math.min(x, width - x) < 86 && Math.min(y, height - y) < 86

/** A night sky, or by day a few golden dots. */
function sky(dice: Dice, { metal, ink }: Palette, night: boolean): string {
  const stars = Array.from({ length: night ? 150 : 40 }, () => {
    const [x, y] = [dice.between(44, 456), dice.between(44, 640)]
    const [size, bright] = [dice.between(0.5, night ? 1.5 : 1), dice.between(0.3, 1)]
    const far = Math.hypot(x - centre.x, y - centre.y) > 208 && !inWords(x, y) && !inCorner(x, y)
    return far
      ? `<circle cx="${decimal(x)}" cy="${decimal(y)}" r="${decimal(size)}" opacity="${decimal(bright)}"/>`
      : ''
  })
  return `<g fill="${night ? ink : metal}">${stars.join('')}</g>`
}

function medallion({ paper, metal, third, ink }: Palette, night: boolean, initial: string): string {
  const beams = Array.from(
    { length: 32 },
    (_, index) => `<path d="M0 -47V${index % 2 === 0 ? -55 : -51}" transform="rotate(${decimal(index * 11.25)})"/>`
  ).join('')
  const rim = night
    ? `<circle r="48" fill="none" stroke="${metal}" stroke-width="0.8"/><path d="M14 -52A54 54 0 1 1 -36 40A48 48 0 1 0 14 -52Z" fill="${third}" opacity="0.9"/>`
    : `<g stroke="${third}" stroke-width="1.4" stroke-linecap="round">${beams}</g>`
  return (
    `<circle r="59" fill="${paper}" stroke="${metal}" stroke-width="0.8"/>${rim}<circle r="42" fill="${paper}" stroke="${metal}" stroke-width="1.2"/>` +
    `<text y="16" font-size="46" fill="${ink}">${escapeXml(initial)}</text>`
  )
}

function nameLines(name: string): string {
  const { lines, size, widths } = fitName(name, 372, 47)
  const first = 535 + size * 0.33 - (lines.length - 1) * size * 0.57
  return lines
    .map((line, index) => {
      // Italics are used only for scripts that have them. A name that fills the line gets a `textLength`, so that it
      // fits in any font.
      const slant = /\p{sc=Latin}|\p{sc=Greek}|\p{sc=Cyrillic}/u.test(line) ? ' font-style="italic"' : ''
      const held =
        (widths[index] ?? 0) >= 366 ? ` textLength="${widths[index] ?? 0}" lengthAdjust="spacingAndGlyphs"` : ''
      return `<text x="250" y="${decimal(first + index * size * 1.14)}" font-size="${size}"${slant}${held}>${escapeXml(line)}</text>`
    })
    .join('')
}

/** Draws a card of 500 × 700 units as SVG without external resources; the same facts give the same bytes. */
export function drawCard({ name, house, hash, night, date }: CallingCardFacts): string {
  const dice = new Dice(hash)
  const colours = paletteOf(dice, night)
  const { paper, paperEdge, ink, quiet, metal, first, second, third } = colours
  const id = (part: string): string => `${part}-${hash.slice(0, 12)}`
  const rosette = [
    lace(dice, id('outer'), { radius: 146, swing: 26, petals: [7, 14], turns: 6, colour: first, width: 0.75 }),
    lace(dice, id('middle'), { radius: 108, swing: 32, petals: [5, 9], turns: 7, colour: second, width: 0.7 }),
    lace(dice, id('inner'), { radius: 76, swing: 19, petals: [6, 12], turns: 5, colour: third, width: 0.7 })
  ].join('')
  const initial = (graphemesOf(name)[0] ?? '').toLocaleUpperCase('en')
  const mark = `${hash.slice(0, 4)} ${hash.slice(4, 8)} ${hash.slice(8, 12)} ${hash.slice(12, 16)}`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id('title')} ${id('desc')}">` +
    `<title id="${id('title')}">Calling card of ${escapeXml(name)}</title>` +
    `<desc id="${id('desc')}">A ${night ? 'night' : 'day'} card of ${longDate(date)}: the name below a rosette of interlaced lines, around it sixty-four rays that are the digits of ${hash}.</desc>` +
    `<defs><radialGradient id="${id('paper')}" cx="50%" cy="41%" r="75%"><stop offset="0" stop-color="${paper}"/><stop offset="1" stop-color="${paperEdge}"/></radialGradient></defs>` +
    `<rect width="${width}" height="${height}" rx="26" fill="url(#${id('paper')})"/>${sky(dice, colours, night)}${frame(colours)}` +
    `<g transform="translate(${centre.x} ${centre.y})" text-anchor="middle" font-family="${serif}">${rosette}` +
    `<path d="${rays(hash, 179)}" stroke="${metal}" stroke-width="2.2" stroke-linecap="round"/><circle r="175" fill="none" stroke="${metal}" stroke-width="0.7"/>${medallion(colours, night, initial)}</g>` +
    `<g text-anchor="middle" font-family="${serif}" fill="${ink}"><text x="253" y="66" font-size="14.5" letter-spacing="6" fill="${quiet}">${escapeXml(house.toLocaleUpperCase('en'))}</text>${nameLines(name)}` +
    `<g stroke="${metal}" stroke-width="0.9"><path d="M150 586H238M262 586H350"/><path d="M250 580L256 586L250 592L244 586Z" fill="${metal}"/></g>` +
    `<text x="250" y="614" font-size="14" fill="${quiet}">${longDate(date)}</text>` +
    `<text x="251" y="646" font-size="10.5" letter-spacing="2" fill="${quiet}" font-family="ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace">${mark}</text></g></svg>\n`
  )
}
