/** The words of a field that takes several, with commas or blanks between them. */
export const words = (text: string): readonly string[] => text.split(/[\s,;]+/).filter(word => word !== '')

/** An empty field of a form says nothing. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
