/** Splits a field with several words at commas, semicolons and white space. */
export const words = (text: string): readonly string[] => text.split(/[\s,;]+/).filter(word => word !== '')

/** Returns the trimmed text, or null for an empty field. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
