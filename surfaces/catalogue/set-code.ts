/** The canonical form of a set code, lowercase, for what an upstream writes: the key of lookups, and what is hashed. */
export const canonicalCode = (printed: string): string => printed.toLowerCase()
