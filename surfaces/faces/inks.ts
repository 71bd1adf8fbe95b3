/** An ink: `deep` fills a field, `dark` what lies on it, `line` draws on both, `paper` is the tint of the paper. */
export type Ink = Readonly<{ deep: string; dark: string; line: string; paper: string }>

/** The inks that faces are printed with, by name. Dark text on each `paper` has a contrast of more than 7:1. */
export const inks = {
  red: { deep: '#a8322b', dark: '#6f1a17', line: '#ffd9c7', paper: '#faeae2' },
  orange: { deep: '#c2611c', dark: '#7d390b', line: '#ffe0b8', paper: '#fbecdc' },
  yellow: { deep: '#c4920f', dark: '#735204', line: '#fff3bf', paper: '#faf1d8' },
  green: { deep: '#33744a', dark: '#174628', line: '#d6f2c9', paper: '#e9f3e4' },
  teal: { deep: '#1f7474', dark: '#0c4546', line: '#c5f2ea', paper: '#e2f2ef' },
  blue: { deep: '#2a5b9e', dark: '#143463', line: '#cfe4ff', paper: '#e5eef9' },
  indigo: { deep: '#47489c', dark: '#272866', line: '#d9d8ff', paper: '#eaeaf8' },
  purple: { deep: '#73438f', dark: '#45235a', line: '#efd6ff', paper: '#f2e8f7' },
  pink: { deep: '#b8527f', dark: '#74294b', line: '#ffdcea', paper: '#fbe8ef' },
  brown: { deep: '#7c5736', dark: '#4a301a', line: '#f3dfc6', paper: '#f3eae0' },
  black: { deep: '#34373f', dark: '#17191d', line: '#dcdad2', paper: '#ebe9e4' },
  grey: { deep: '#68737e', dark: '#3d464f', line: '#e9eef2', paper: '#ebeef0' },
  white: { deep: '#cfc6b0', dark: '#7b7058', line: '#fffdf4', paper: '#f8f5ec' }
} satisfies Readonly<Record<string, Ink>>

type InkName = keyof typeof inks

export const isInk = (name: string): name is InkName => Object.hasOwn(inks, name)

/** Inks for values that have none of their own. */
export const spareInks: readonly InkName[] = [
  'red',
  'orange',
  'green',
  'teal',
  'blue',
  'indigo',
  'purple',
  'pink',
  'brown'
]

/** The colours of text on paper. */
export const onPaper = { ink: '#26211b', quiet: '#554d40' }
