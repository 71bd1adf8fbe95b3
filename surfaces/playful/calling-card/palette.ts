import type { Dice } from '../dice.ts'

/** The colours of a card. The contrast of `ink` on `paper` and on `paperEdge` is above 7:1 (WCAG 2.2, 1.4.6). */
export type Palette = Readonly<{
  paper: string
  paperEdge: string
  ink: string
  quiet: string
  metal: string
  first: string
  second: string
  third: string
}>

const hsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${Math.round(hue) % 360} ${saturation}% ${lightness}%)`

/** Returns dark ink on light paper for the day, light ink on dark paper for the night; `dice` choose two hues. */
export function paletteOf(dice: Dice, night: boolean): Palette {
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
