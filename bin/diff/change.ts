/** The impacts of the changelog, most severe first. */
export const impacts = ['breaking', 'additive', 'documentation'] as const
export type Impact = (typeof impacts)[number]

/** One difference between two registries that a client can notice. */
export type Change = Difference &
  Readonly<{
    /** Where the difference is: a method and path, `service`, or `corpus` with its name. */
    subject: string
  }>

export type Difference = Readonly<{ impact: Impact; message: string }>

export const breaking = (message: string): Difference => ({ impact: 'breaking', message })
export const additive = (message: string): Difference => ({ impact: 'additive', message })
export const documentation = (message: string): Difference => ({ impact: 'documentation', message })

export const isAtLeast = (impact: Impact, limit: Impact): boolean => impacts.indexOf(impact) <= impacts.indexOf(limit)

/** Returns the items of `words` that `other` lacks. */
export const missingFrom = <T>(other: readonly T[], words: readonly T[]): T[] =>
  words.filter(word => !other.includes(word))

/** Compares lists of names: one that is gone is breaking, a new one is additive. */
export const compareNames = (
  base: readonly string[],
  head: readonly string[],
  gone: (name: string) => string,
  added: (name: string) => string
): readonly Difference[] => [
  ...missingFrom(head, base).map(name => breaking(gone(name))),
  ...missingFrom(base, head).map(name => additive(added(name)))
]
