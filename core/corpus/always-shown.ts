/**
 * Words of names whose members say what may be done with an entry, who says it, on what it rests, and what is not sure,
 * not said or not given.
 */
const words = new Set([
  'rights',
  'license',
  'licenses',
  'licence',
  'tier',
  'source',
  'sources',
  'provenance',
  'attribution',
  'evidence',
  'basis',
  'by',
  'signed',
  'signature',
  'unsure',
  'withheld',
  'unavailable',
  'availability',
  'boundary',
  'access',
  'conditions',
  'reason'
])

/**
 * Whether a member is in every answer, whatever members a caller chooses: what a structural document says of itself
 * (`@kind`), and what says rights, sources, who signed and what is unsure. It follows from the name, so that no corpus
 * and no handler can forget one.
 */
export const isAlwaysShown = (name: string): boolean =>
  name.startsWith('@') ||
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some(word => words.has(word))
