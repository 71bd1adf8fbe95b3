/** Draws a card from its facts, as SVG in three sizes. No picture, logo or frame of a publisher is shown. */
import { escapeXml } from 'pantry/data'
import { widthOfLine } from '../common/text-width.ts'
import { languageName } from '../common/words.ts'
import { onPaper } from './inks.ts'
import { lookOf, type Drawn, type FaceFacts, type FaceLook } from './look.ts'
import { field, glyph, metalOf, nameIn, paints, paper, serif, words } from './parts.ts'

/** The sizes of faces in units, and the least width in CSS pixels at which each is shown. */
export const faceSizes = {
  thumb: { width: 48, height: 60, leastShown: 48 },
  tile: { width: 144, height: 184, leastShown: 136 },
  poster: { width: 360, height: 460, leastShown: 288 }
} as const
export type FaceSize = keyof typeof faceSizes

/** Says in words what a face shows. */
export const faceTitle = (facts: FaceFacts): string =>
  [
    facts.name ?? 'A card without a name',
    facts.card_number,
    facts.rarity,
    languageName(facts.lang),
    facts.variant === '' ? null : `variant ${facts.variant}`
  ]
    .filter(part => part !== null)
    .join(', ')

/** Estimates the width of bold letters in ems. */
const lettersOf = (text: string): number => widthOfLine(text) * 1.13

/** The same of a number: bold digits are as wide as they are in the widest of usual fonts. */
const digitsOf = (text: string): number => Array.from(text).length * 0.68

/** Draws numbers with their signs in a row around the middle, as many as fit. */
function numberRow({ numbers, inks: [ink] }: FaceLook, x: number, y: number, room: number, size: number): string {
  const sign = size * 0.55
  const cells = numbers.map(one => ({ ...one, width: sign + 3 + digitsOf(one.text) * size }))
  const gap = size * 0.55
  const fitting = cells.filter(
    (_, at) => cells.slice(0, at + 1).reduce((sum, { width }) => sum + width + gap, -gap) <= room
  )
  let left = x - fitting.reduce((sum, { width }) => sum + width + gap, -gap) / 2
  return fitting
    .map(({ text, sign: path, width }) => {
      const at = left
      left += width + gap
      return (
        glyph(path, at + sign / 2, y - size * 0.36, sign, ink?.deep ?? '') +
        words({ x: at + sign + 3, y, size, text, room: width, bold: true })
      )
    })
    .join('')
}

/** Says which printing it is: the language and the variant. */
const printingOf = ({ facts: { lang }, variant }: FaceLook): string =>
  [lang.toUpperCase(), variant].filter(part => part !== '').join(' ')

const drawTile = (look: FaceLook): string => {
  const { facts, numbers, symbol, inks } = look
  const printing = printingOf(look)
  const aside = lettersOf(printing) * 12
  return (
    paper(look, { ...faceSizes.tile, unit: 1 }) +
    field(look, { x: 10, y: 10, width: 124, height: 94, detail: 'tile' }) +
    numberRow(look, 72, 124, 124, 18) +
    nameIn(facts.name ?? facts.card_number, facts.lang, {
      x: 72,
      top: numbers.length === 0 ? 106 : 130,
      height: numbers.length === 0 ? 56 : 32,
      room: 122,
      sizes: [
        [16, 1],
        [14, 2],
        [13, 1],
        [12, 2]
      ]
    }) +
    glyph(symbol, 16, 169, 12, inks[0]?.deep ?? '') +
    words({ x: 25, y: 173, size: 12, text: facts.card_number, room: 106 - aside - 6 }) +
    words({ x: 133, y: 173, size: 12, text: printing, room: 60, anchor: 'end', bold: true, fill: inks[0]?.dark ?? '' })
  )
}

const drawThumb = (look: FaceLook): string => {
  const { numbers, symbol, variant, inks } = look
  const aside = variant === '' ? 12 : Math.min(36, lettersOf(variant) * 12.2)
  const room = 36 - aside
  const number = numbers.find(({ text }) => digitsOf(text) * 13 <= room)
  const dark = inks[0]?.dark ?? ''
  return (
    paper(look, { ...faceSizes.thumb, unit: 0.5 }) +
    field(look, { x: 5, y: 5, width: 38, height: 36, detail: 'thumb' }) +
    (number === undefined ? '' : words({ x: 6, y: 54, size: 13, text: number.text, room, bold: true })) +
    (variant === ''
      ? glyph(symbol, 37, 49, 10, dark)
      : words({ x: 43, y: 54, size: 12, text: variant, room: 37, anchor: 'end', bold: true, fill: dark }))
  )
}

/** Draws numbers over their words, in cells of one width around the middle. */
function numberCells({ numbers, inks: [ink] }: FaceLook, middle: number, y: number, room: number): string {
  const shown = numbers.slice(0, 4)
  const cell = Math.min(120, room / Math.max(1, shown.length))
  const size = Math.min(38, ...shown.map(({ text }) => Math.floor((cell - 14) / digitsOf(text))))
  return shown
    .map(({ text, word, sign }, at) => {
      const x = middle + (at - (shown.length - 1) / 2) * cell
      const label = lettersOf(word) * 14
      return (
        words({ x, y, size, text, room: cell, anchor: 'middle', bold: true, fill: ink?.dark ?? '' }) +
        glyph(sign, x - label / 2 - 4, y + 14, 11, ink?.deep ?? '') +
        words({ x: x + 5, y: y + 19, size: 14, text: word, room: cell - 20, anchor: 'middle', fill: onPaper.quiet })
      )
    })
    .join('')
}

const drawPoster = (look: FaceLook): string => {
  const { facts, numbers, marks, symbol, inks } = look
  const hash = facts.content_hash
  const [dark, metal] = [inks[0]?.dark ?? '', metalOf(look)]
  const row = (y: number, left: string, right: string): string =>
    words({ x: 66, y, size: 14, text: left, room: 160 }) +
    words({ x: 336, y, size: 14, text: right, room: 104, anchor: 'end', bold: true, fill: dark })
  return (
    paper(look, { ...faceSizes.poster, unit: 2.5 }) +
    field(look, { x: 24, y: 24, width: 312, height: 206, detail: 'poster' }) +
    numberCells(look, 180, 268, 308) +
    nameIn(facts.name ?? facts.card_number, facts.lang, {
      x: 180,
      top: numbers.length === 0 ? 234 : 292,
      height: numbers.length === 0 ? 116 : 60,
      room: 308,
      sizes: [
        [32, 1],
        [24, 2],
        [22, 1],
        [19, 3],
        [16, 3]
      ]
    }) +
    words({
      x: 180,
      y: 366,
      size: 14,
      text: [...new Set(marks.map(({ word }) => word))].join(' · '),
      room: 308,
      anchor: 'middle',
      italic: true,
      fill: onPaper.quiet
    }) +
    `<path d="M24 376H336" stroke="${metal}" stroke-width="1.2"/>` +
    glyph(symbol, 41, 397, 32, inks[0]?.deep ?? '') +
    row(393, facts.set_name ?? facts.set_code, facts.rarity ?? '') +
    row(411, facts.card_number, printingOf(look)) +
    words({
      x: 24,
      y: 432,
      size: 14,
      text: 'drawn from facts, not a card',
      room: 210,
      italic: true,
      fill: onPaper.quiet
    }) +
    words({
      x: 336,
      y: 432,
      size: 14,
      text: `${hash.slice(0, 4)} ${hash.slice(4, 8)}`,
      room: 96,
      anchor: 'end',
      fill: onPaper.quiet
    })
  )
}

const draws = { thumb: drawThumb, tile: drawTile, poster: drawPoster }

/** Draws the face of a card as an SVG document without external resources; the same facts give the same bytes. */
export function drawFace(facts: FaceFacts, size: FaceSize, drawn: Drawn): string {
  const look = lookOf(facts, drawn)
  const { width, height } = faceSizes[size]
  const defs = paints(look)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${serif}" fill="${onPaper.ink}" fill-rule="evenodd">` +
    `<title>${escapeXml(faceTitle(facts))}</title>${defs === '' ? '' : `<defs>${defs}</defs>`}${draws[size](look)}</svg>\n`
  )
}
