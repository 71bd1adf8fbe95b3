/**
 * The parts of a canonical SKU, the identifier of a printing: `<game>-<set>-<number>-<lang>[-<variant>]` in lower case.
 *
 * Every part is escaped, so that different identities never share a SKU and a SKU can be decoded:
 *
 * - a-z and 0-9 stay; letters are lowercased first, so identities that differ only in case are the same
 * - `-` becomes `_`, because `-` separates the parts
 * - a space becomes `.`
 * - all else, including `_`, `.` and `~`, becomes `~` and two lowercase hex digits for each byte of its UTF-8 form
 */
export type Sku = Readonly<{
  game: string
  set: string
  number: string
  /** A language tag (BCP 47, RFC 5646 §2.1 without extensions), for example `en` or `zh-hans`. */
  lang: string
  /** An empty string for the ordinary printing. */
  variant: string
}>

/** The maximum length of a SKU, in characters. */
export const skuLimit = 160

const parts = ['game', 'set', 'number', 'lang', 'variant'] as const
const gamePattern = /^[a-z0-9]+$/
const langPattern = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/

/** Whether a text may be the token of a game. */
export const isGameToken = (text: string): boolean => gamePattern.test(text)
/** Whether a text has the form of a lowercase language tag. */
export const isLanguageTag = (text: string): boolean => langPattern.test(text)

/** A SKU cannot be built; `field` names the part at fault. */
export class SkuError extends Error {
  readonly field: keyof Sku | 'sku'

  constructor(field: keyof Sku | 'sku', message: string) {
    super(message)
    this.name = 'SkuError'
    this.field = field
  }
}

/** Escapes one part of a SKU. Throws a RangeError on a lone surrogate, which has no UTF-8 form. */
export function encodePart(text: string): string {
  const lower = text.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return lower
  if (!lower.isWellFormed()) throw new RangeError('Text with a lone surrogate cannot be part of a SKU.')
  return lower.replace(/[^a-z0-9]/gu, character => {
    if (character === '-') return '_'
    if (character === ' ') return '.'
    return [...Buffer.from(character)].map(byte => '~' + byte.toString(16).padStart(2, '0')).join('')
  })
}

/** Decodes an escaped part; `undefined` when `encodePart` would not produce it. */
export function decodePart(part: string): string | undefined {
  if (/^[a-z0-9]+$/.test(part)) return part
  if (!/^(?:[a-z0-9_.]|~[0-9a-f]{2})+$/.test(part)) return undefined
  const text = part
    .replace(/_/g, '-')
    .replace(/\./g, ' ')
    .replace(/(?:~[0-9a-f]{2})+/g, escaped => Buffer.from(escaped.replaceAll('~', ''), 'hex').toString())
  // Only one spelling is valid: invalid UTF-8, capitals and needless escapes do not encode back to the same part.
  return encodePart(text) === part ? text : undefined
}

/** Builds the canonical SKU. Throws a SkuError that names the part which is missing, malformed or too long. */
export function buildSku(sku: Sku): string {
  const lang = sku.lang.toLowerCase()
  for (const part of parts) {
    if (part !== 'variant' && sku[part] === '') throw new SkuError(part, `\`${part}\` of a SKU must not be empty.`)
    if (!sku[part].isWellFormed()) throw new SkuError(part, `\`${part}\` of a SKU holds a lone surrogate.`)
  }
  if (!isGameToken(sku.game))
    throw new SkuError('game', `\`game\` must be a token of a-z and 0-9, not \`${sku.game}\`.`)
  if (!isLanguageTag(lang))
    throw new SkuError('lang', `\`lang\` must be a language tag such as \`en\` or \`zh-hans\`, not \`${sku.lang}\`.`)
  const text = [sku.game, sku.set, sku.number, lang, ...(sku.variant === '' ? [] : [sku.variant])]
    .map(encodePart)
    .join('-')
  if (text.length > skuLimit)
    throw new SkuError(
      'sku',
      `A SKU has at most ${String(skuLimit)} characters, this one would have ${String(text.length)}.`
    )
  return text
}

/**
 * Parses a canonical SKU strictly: capitals and other spellings are invalid. Returns its decoded parts (lowercase), or
 * `undefined`.
 */
export function parseSku(text: string): Sku | undefined {
  if (text.length > skuLimit) return undefined
  const segments = text.split('-')
  if (segments.length < 4 || segments.length > 5) return undefined
  const decoded = segments.map(decodePart)
  const [game, set, number, lang, variant = ''] = decoded
  if (
    decoded.includes(undefined) ||
    game === undefined ||
    set === undefined ||
    number === undefined ||
    lang === undefined
  )
    return undefined
  return isGameToken(game) && isLanguageTag(lang) ? { game, set, number, lang, variant } : undefined
}
