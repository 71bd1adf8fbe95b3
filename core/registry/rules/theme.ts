import { quotedList, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestionHint } from '../../diagnostics/suggest.ts'
import { isFontFile } from '../../manifest/theme.ts'
import { report, type Pointer } from '../../source/report.ts'
import { assetsFolder } from '../assets.ts'
import type { Draft, ReferenceRule } from '../draft.ts'
import { schemes } from '../theme-sheet.ts'

/** The contrast that text needs (WCAG 2.2, success criterion 1.4.3, level AA). */
const leastContrast = 4.5

type Channels = readonly number[]

const channelsOf = (colour: string): Channels => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16))

const luminanceOf = (channels: Channels): number => {
  const [red = 0, green = 0, blue = 0] = channels
    .map(value => value / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the ratio of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
function contrastOf(one: Channels, other: Channels): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Returns the first mixture of a colour with black or white that has enough contrast, as a text. */
function readable(colour: Channels, end: number, grounds: readonly string[]): string {
  for (let part = 1; ; part += 1) {
    const mixed = colour.map(value => Math.round(value + ((end - value) * part) / 100))
    if (part === 100 || grounds.every(ground => contrastOf(mixed, channelsOf(ground)) >= leastContrast))
      return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
  }
}

/** M439: an accent must be readable on all that pages of its scheme are made of, and text on it. */
function* checkAccent({ service, serviceSource }: Draft): Generator<Diagnostic> {
  for (const scheme of ['light', 'dark'] as const) {
    const accent = service.theme.accent?.[scheme]
    if (accent === undefined) continue
    const { grounds } = schemes[scheme]
    const colour = channelsOf(accent)
    const [worst] = grounds
      .map(ground => ({ ground, ratio: contrastOf(colour, channelsOf(ground)) }))
      .sort((a, b) => a.ratio - b.ratio)
    if (worst === undefined || worst.ratio >= leastContrast) continue
    // Rounded down, so that a ratio below the least is not shown as the least.
    const shown = (Math.floor(worst.ratio * 100) / 100).toFixed(2)
    const message = `\`${accent}\` has a contrast of ${shown} to \`${worst.ground}\` of ${scheme} pages; text needs ${leastContrast}.`
    const [word, end] = scheme === 'light' ? ['darker', 0] : ['lighter', 255]
    const hint = `A ${word} one that can be read is \`"${readable(colour, end, grounds)}"\`.`
    yield report(serviceSource, 'M439', ['theme', 'accent', scheme], message, { hint })
  }
}

/** Matches what runs code in an SVG picture that is opened by itself: a script, an event, a link to code. */
const svgCode = /<\s*script\b|\son[a-z]+\s*=|javascript:/i

/** M440: the files of a theme must be in the assets of a root, and its pictures hold no code. */
function* checkFiles({ service, serviceSource, assets }: Draft): Generator<Diagnostic> {
  const { logo, icon, font = [] } = service.theme
  const byName = new Map(assets.map(file => [file.name, file]))
  const named: readonly (readonly [Pointer, string | undefined])[] = [
    [['logo'], logo],
    [['icon'], icon],
    ...font.map((name, at) => [['font', at], isFontFile(name) ? name : undefined] as const)
  ]
  for (const [at, name] of named) {
    if (name === undefined) continue
    const file = byName.get(name)
    const ending = name.slice(name.lastIndexOf('.'))
    const known = [...byName.keys()].filter(one => one.endsWith(ending))
    if (file === undefined) {
      const hint = known.length === 0 ? undefined : `Files there: ${quotedList(known)}.`
      yield report(serviceSource, 'M440', ['theme', ...at], `There is no \`${assetsFolder}/${name}\`.`, {
        hint: suggestionHint(name, known) ?? hint
      })
    } else if (ending === '.svg' && svgCode.test(Buffer.from(file.bytes).toString()))
      yield report(serviceSource, 'M440', ['theme', ...at], `${file.path} holds code, which no picture may.`, {
        hint: 'Export it without scripts and events.'
      })
  }
}

/** M439, M440: a theme must give readable colours, and files that are there. */
export const soundTheme: ReferenceRule = function* (draft) {
  yield* checkAccent(draft)
  yield* checkFiles(draft)
}
