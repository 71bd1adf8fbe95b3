import { humanise } from 'pantry/page'

/** Structural attributes of a card: each value is a text, a number, a boolean, or a list of them. */
export type Attributes = Readonly<Record<string, unknown>>

const plain = (value: unknown): string =>
  value === true
    ? 'yes'
    : value === false
      ? 'no'
      : typeof value === 'string' || typeof value === 'number'
        ? String(value)
        : ''

export const listOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(plain).filter(text => text !== '')

/** Formats an attribute value for display. */
export const valueText = (value: unknown): string => listOf(value).join(', ') || 'none'

const isColour = (name: string): boolean => /^colou?rs?$/.test(name)

/** Returns the colours of the card in its game. */
export const coloursOf = (attributes: Attributes): readonly string[] =>
  Object.entries(attributes)
    .filter(([name]) => isColour(name))
    .flatMap(([, value]) => listOf(value))

/** Returns the attributes that fit on a card face: four short ones, in document order. */
export const faceLines = (attributes: Attributes): string[] =>
  Object.entries(attributes)
    .filter(([name, value]) => !isColour(name) && listOf(value).length > 0 && valueText(value).length <= 18)
    .slice(0, 4)
    .map(([name, value]) => `${humanise(name)}: ${valueText(value)}`)
