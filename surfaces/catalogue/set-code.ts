/** Returns the canonical (lowercase) form of a set code, which lookups and hashes use. */
export const canonicalCode = (printed: string): string => printed.toLowerCase()
