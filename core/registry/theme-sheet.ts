import { isFontFile, type Theme } from '../manifest/theme.ts'

/**
 * What a page of each scheme is made of, as `theme.css` says it. `grounds` are the colours that text and links are
 * put on; a button has the accent behind text of the colour `inverse`, which is one of them.
 */
export const schemes = {
  light: {
    selector: ':root:not([data-theme=dark])',
    grounds: ['#fdfcf9', '#ffffff', '#f4f1e9'],
    inverse: '#ffffff',
    ink: '#2b3238'
  },
  dark: { selector: ':root:not([data-theme])', grounds: ['#14191d', '#1b2126'], inverse: '#14191d', ink: '#d5dade' }
} as const

/** Names of fonts that CSS keeps for itself (CSS Fonts 4 §2.1.2): they are written without quotes. */
const generic = ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'ui-serif', 'ui-sans-serif']

const quoted = (name: string): string => (generic.includes(name) ? name : `"${name}"`)

function fontRules(font: readonly string[], fileOf: (name: string) => string | undefined): string {
  const faces = font
    .filter(isFontFile)
    .map(
      name =>
        `@font-face { font-family: "${name}"; src: url("${fileOf(name) ?? name}") format("woff2"); font-display: swap; }\n`
    )
  return `${faces.join('')}:root { --pico-font-family-sans-serif: ${font.map(quoted).join(', ')}; }\n`
}

function accentRules(scheme: keyof typeof schemes, accent: string): string {
  const { selector, inverse, ink } = schemes[scheme]
  const colours = {
    primary: accent,
    'primary-hover': ink,
    'primary-background': accent,
    'primary-border': accent,
    'primary-hover-background': ink,
    'primary-hover-border': ink,
    'primary-inverse': inverse,
    'primary-underline': `${accent}80`,
    'primary-focus': `${accent}66`,
    'text-selection-color': `${accent}33`
  }
  const lines = Object.entries(colours).map(([name, colour]) => `    --pico-${name}: ${colour};\n`)
  return `@media (prefers-color-scheme: ${scheme}) {\n  ${selector} {\n${lines.join('')}  }\n}\n`
}

/**
 * Returns the style sheet of a theme, if it says anything that a style sheet can say. `fileOf` returns the name under
 * which a file is served beside the style sheet.
 */
export const themeSheet = (
  { font, accent }: Theme,
  fileOf: (name: string) => string | undefined
): readonly string[] => [
  ...(font === undefined ? [] : [fontRules(font, fileOf)]),
  ...(accent === undefined ? [] : [accentRules('light', accent.light), accentRules('dark', accent.dark)])
]
