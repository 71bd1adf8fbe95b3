/**
 * Words that mark a member by its name as one about rights, sources, authorship, evidence, uncertainty or missing
 * values.
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
 * Whether a member is in every answer, even if a caller selects other members: members of a structural document about
 * itself (`@kind`), and those about rights, sources, signatures and uncertainty. The name decides, so no corpus or
 * handler can omit one by mistake.
 */
export const isAlwaysShown = (name: string): boolean =>
  name.startsWith('@') ||
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some(word => words.has(word))
