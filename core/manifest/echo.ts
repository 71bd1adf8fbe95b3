import { normaliseText, type NormaliseStep } from './normalise-text.ts'

/**
 * A parameter that the answer repeats. Its length (in characters) is checked before it is normalised; it is never
 * stored.
 */
type Echo = Readonly<{ description: string; maxLength: number; pattern: string; normalise: readonly NormaliseStep[] }>

/** Echoed parameters by name. A placeholder always has a value; an absent query parameter is echoed as null. */
export type Echoes = Readonly<Record<string, Echo>>

/** Returns the members for the echoed parameters: the normalised text, or null for an absent parameter. */
export const echoed = (echoes: Echoes, given: Readonly<Record<string, unknown>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(echoes).map(([name, { normalise }]) => {
      const value = given[name]
      return [name, typeof value === 'string' ? normaliseText(value, normalise) : null]
    })
  )
