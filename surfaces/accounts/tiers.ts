/** Requests per minute, by the tier of a key. */
export const tiers = { free: 30, standard: 120, partner: 600 } as const
export type Tier = keyof typeof tiers
export const tierNames = Object.keys(tiers) as readonly Tier[]

/** Requests per minute of a session. */
export const sessionLimit = 600

/** Requests per minute of a person, over all of their sessions and keys. */
export const personLimit = 2 * sessionLimit

/** The window of all these limits, in seconds. */
export const windowSeconds = 60
