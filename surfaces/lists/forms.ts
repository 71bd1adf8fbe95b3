import { languageName } from '../common/words.ts'

/** The forms in which decks and collections are written elsewhere, as data: one reader and one writer take them all. */

/** What a line of a list may say. `set` is a code, `set_name` a name; `language` is a tag (BCP 47). */
export const lineFields = [
  'sku',
  'name',
  'set',
  'set_name',
  'number',
  'finish',
  'language',
  'condition',
  'section'
] as const
export type LineField = (typeof lineFields)[number]

type Words = Readonly<Record<string, string>>

/** A table (CSV) of a program. */
export type TableForm = Readonly<{
  id: string
  title: string
  /** The columns that are read and written, in order. If several hold one field, the first that is not empty counts. */
  columns: readonly (readonly [head: string, field: LineField | 'count'])[]
  /** Columns that are read as well, but not written. */
  also?: readonly (readonly [head: string, field: LineField | 'count'])[]
  /** Columns that only this form has together; nothing for the form that is taken where no other is recognised. */
  marks?: readonly string[]
  /** How values are written that the form does not write as they are named here. */
  words?: Readonly<Partial<Record<LineField, Words>>>
}>

/** The languages that programs write by their English names. */
const languageNames: Words = Object.fromEntries(
  ['en', 'de', 'fr', 'it', 'es', 'pt', 'ja', 'ko', 'ru', 'zh', 'zh-hans', 'zh-hant'].map(tag => [
    tag,
    languageName(tag)
  ])
)

const collectors: Words = {
  mint: 'Mint',
  near_mint: 'Near Mint',
  lightly_played: 'Good (Lightly Played)',
  played: 'Played',
  heavily_played: 'Heavily Played'
}

export const tableForms = [
  {
    id: 'manabox',
    title: 'ManaBox',
    columns: [
      ['Name', 'name'],
      ['Set code', 'set'],
      ['Set name', 'set_name'],
      ['Collector number', 'number'],
      ['Foil', 'finish'],
      ['Quantity', 'count'],
      ['Condition', 'condition'],
      ['Language', 'language']
    ],
    marks: ['Set code', 'Collector number', 'Foil', 'Quantity'],
    words: { condition: { lightly_played: 'light_played' } }
  },
  {
    id: 'moxfield',
    title: 'Moxfield',
    columns: [
      ['Count', 'count'],
      ['Name', 'name'],
      ['Edition', 'set'],
      ['Condition', 'condition'],
      ['Language', 'language'],
      ['Foil', 'finish'],
      ['Collector Number', 'number']
    ],
    marks: ['Count', 'Edition', 'Collector Number'],
    words: { finish: { normal: '' }, language: languageNames, condition: { ...collectors, damaged: 'Damaged' } }
  },
  {
    id: 'deckbox',
    title: 'Deckbox',
    columns: [
      ['Count', 'count'],
      ['Name', 'name'],
      ['Edition', 'set_name'],
      ['Edition Code', 'set'],
      ['Card Number', 'number'],
      ['Condition', 'condition'],
      ['Language', 'language'],
      ['Foil', 'finish']
    ],
    marks: ['Count', 'Edition', 'Card Number'],
    words: { finish: { normal: '' }, language: languageNames, condition: { ...collectors, poor: 'Poor' } }
  },
  {
    id: 'tcgplayer',
    title: 'TCGplayer',
    columns: [
      ['Quantity', 'count'],
      ['Simple Name', 'name'],
      ['Name', 'name'],
      ['Set', 'set_name'],
      ['Card Number', 'number'],
      ['Set Code', 'set'],
      ['Printing', 'finish'],
      ['Condition', 'condition'],
      ['Language', 'language']
    ],
    marks: ['Simple Name'],
    words: {
      finish: { normal: 'Normal', foil: 'Foil' },
      language: languageNames,
      condition: {
        mint: 'Mint',
        near_mint: 'Near Mint',
        lightly_played: 'Lightly Played',
        moderately_played: 'Moderately Played',
        heavily_played: 'Heavily Played',
        damaged: 'Damaged'
      }
    }
  },
  {
    id: 'dragon-shield',
    title: 'Dragon Shield',
    columns: [
      ['Quantity', 'count'],
      ['Card Name', 'name'],
      ['Set Code', 'set'],
      ['Set Name', 'set_name'],
      ['Card Number', 'number'],
      ['Condition', 'condition'],
      ['Printing', 'finish'],
      ['Language', 'language']
    ],
    marks: ['Card Name', 'Set Code', 'Printing'],
    words: {
      finish: { normal: 'Normal', foil: 'Foil', etched: 'Etched' },
      language: languageNames,
      condition: {
        mint: 'Mint',
        near_mint: 'NearMint',
        excellent: 'Excellent',
        good: 'Good',
        lightly_played: 'LightPlayed',
        played: 'Played',
        poor: 'Poor'
      }
    }
  },
  {
    id: 'mtgo',
    title: 'Magic Online',
    columns: [
      ['Card Name', 'name'],
      ['Quantity', 'count'],
      ['Set', 'set'],
      ['Collector #', 'number'],
      ['Premium', 'finish'],
      ['Sideboarded', 'section']
    ],
    marks: ['Collector #', 'Premium'],
    words: { finish: { normal: 'No', foil: 'Yes' }, section: { main: 'No', sideboard: 'Yes' } }
  },
  {
    id: 'table',
    title: 'Table with a column of cards',
    columns: [
      ['quantity', 'count'],
      ['sku', 'sku'],
      ['name', 'name'],
      ['set', 'set'],
      ['set name', 'set_name'],
      ['number', 'number'],
      ['finish', 'finish'],
      ['language', 'language'],
      ['condition', 'condition'],
      ['section', 'section']
    ],
    also: [
      ['qty', 'count'],
      ['count', 'count'],
      ['copies', 'count'],
      ['card', 'name'],
      ['card name', 'name'],
      ['set code', 'set'],
      ['edition code', 'set'],
      ['card number', 'number'],
      ['card no', 'number'],
      ['collector number', 'number'],
      ['card code', 'number'],
      ['code', 'number'],
      ['foil', 'finish'],
      ['printing', 'finish']
    ]
  }
] as const satisfies readonly TableForm[]

/** The forms of text, in the order in which a line is compared with them; `text` takes any line. */
export const textForms = [
  { id: 'simulator', title: 'Numbers with counts, as simulators write them' },
  { id: 'arena', title: 'Magic Arena' },
  { id: 'pokemon-live', title: 'Pokémon TCG Live' },
  { id: 'text', title: 'Text with counts and sections' }
] as const

export const formIds = [...textForms, ...tableForms].map(({ id }) => id)
export type FormId = (typeof formIds)[number]

/** The sections of a list, with the heading that is written, and then others that are read. */
export const sections = {
  main: ['Deck', 'Main', 'Main deck', 'Mainboard', 'Maindeck'],
  sideboard: ['Sideboard', 'Side', 'Side deck'],
  commander: ['Commander', 'Commanders'],
  companion: ['Companion'],
  maybeboard: ['Maybeboard', 'Considering'],
  tokens: ['Tokens'],
  leader: ['Leader'],
  character: ['Character', 'Characters'],
  event: ['Event', 'Events'],
  stage: ['Stage', 'Stages'],
  pokemon: ['Pokémon', 'Pokemon'],
  trainer: ['Trainer', 'Trainers'],
  energy: ['Energy']
} as const
export type Section = keyof typeof sections
export const sectionIds = Object.keys(sections) as readonly Section[]

export const conditions = [
  'mint',
  'near_mint',
  'excellent',
  'good',
  'lightly_played',
  'moderately_played',
  'played',
  'heavily_played',
  'damaged',
  'poor'
] as const

/** Other words of programs for a value, beside those of the forms. */
const otherWords: Readonly<Partial<Record<LineField, Words>>> = {
  condition: { M: 'mint', NM: 'near_mint', EX: 'excellent', GD: 'good', LP: 'lightly_played', PL: 'played' },
  finish: { nonfoil: 'normal', 'non foil': 'normal', holofoil: 'foil' },
  language: { 'Chinese (S)': 'zh-hans', 'Chinese (T)': 'zh-hant' }
}

const plainWord = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')

const spoken = (form: TableForm, field: LineField): Words => form.words?.[field] ?? {}

const readings = new Map(
  (['condition', 'finish', 'language'] as const).map(field => [
    field,
    new Map([
      ...(tableForms as readonly TableForm[]).flatMap(form =>
        Object.entries(spoken(form, field)).flatMap(([value, word]) =>
          word === '' || /^(yes|no)$/i.test(word) ? [] : [[plainWord(word), value] as const]
        )
      ),
      ...conditions.map(value => [plainWord(value), value] as const),
      ...Object.entries(otherWords[field] ?? {}).map(([word, value]) => [plainWord(word), value] as const)
    ])
  ])
)

const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/

/** Returns a value of a form as it is named here; null for one that is empty or that nothing names. */
export function readValue(form: TableForm, field: LineField, text: string): string | null {
  const own = Object.entries(spoken(form, field)).find(([, word]) => word.toLowerCase() === text.toLowerCase())
  if (own !== undefined) return own[0]
  if (text === '') return null
  const lower = text.toLowerCase()
  switch (field) {
    case 'condition':
      return readings.get(field)?.get(plainWord(text)) ?? null
    case 'finish':
      return readings.get(field)?.get(plainWord(text)) ?? (/foil/.test(lower) ? 'foil' : lower)
    case 'language':
      return readings.get(field)?.get(plainWord(text)) ?? (languageTag.test(lower) ? lower : null)
    case 'section':
      return sectionOf(text) ?? null
    case 'sku':
    case 'name':
    case 'set':
    case 'set_name':
    case 'number':
      return text
  }
}

/** Returns a value as a form writes it. */
export const writeValue = (form: TableForm, field: LineField, value: string | null): string =>
  value === null ? '' : (spoken(form, field)[value] ?? value)

const headings = new Map(sectionIds.flatMap(id => [id, ...sections[id]].map(word => [word.toLowerCase(), id] as const)))

/** Returns the section that a text names. */
export const sectionOf = (text: string): Section | undefined => headings.get(text.trim().toLowerCase())
