/** The words of the changelog, from the gravest to the lightest. */
export const impacts = ['breaking', 'additive', 'documentation'] as const
export type Impact = (typeof impacts)[number]

/** One difference between two registries, seen by a client. */
export type Change = Readonly<{
  impact: Impact
  /** Method and path, or the part of the service it concerns. */
  subject: string
  message: string
}>

/** A difference before its subject is known. */
export type Difference = Readonly<{ impact: Impact; message: string }>

export const breaking = (message: string): Difference => ({ impact: 'breaking', message })
export const additive = (message: string): Difference => ({ impact: 'additive', message })
export const documentation = (message: string): Difference => ({ impact: 'documentation', message })

export const isAtLeast = (impact: Impact, limit: Impact): boolean => impacts.indexOf(impact) <= impacts.indexOf(limit)

/** Words of a list that the other list lacks. */
export const missingFrom = <T>(other: readonly T[], words: readonly T[]): T[] =>
  words.filter(word => !other.includes(word))
