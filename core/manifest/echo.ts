import { normaliseText, type NormaliseStep } from './normalise-text.ts'

/** A parameter that the answer gives back: bounded before it is normalised (lengths in characters), never kept. */
export type Echo = Readonly<{
  description: string
  maxLength: number
  pattern: string
  normalise: readonly NormaliseStep[]
}>

/** Echoed parameters by name. A placeholder is always there; a query parameter that was left out is echoed as null. */
export type Echoes = Readonly<Record<string, Echo>>

/** The members that echoed parameters become: their normalised text, or null where a parameter was left out. */
export const echoed = (echoes: Echoes, given: Readonly<Record<string, unknown>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(echoes).map(([name, { normalise }]) => {
      const value = given[name]
      return [name, typeof value === 'string' ? normaliseText(value, normalise) : null]
    })
  )
