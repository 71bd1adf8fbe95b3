/** Requests a minute, by the tier of a key. */
export const tiers = { free: 30, standard: 120, partner: 600 } as const
export type Tier = keyof typeof tiers
export const tierNames = Object.keys(tiers) as readonly Tier[]

/** Requests a minute of a session. */
export const sessionLimit = 600

/** The window of all limits. */
export const windowSeconds = 60
