/** The named entities that occur in the texts of upstreams. */
const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['euro', '€'],
  ['pound', '£'],
  ['yen', '¥'],
  ['cent', '¢'],
  ['dollar', '$']
])

function unescapeEntity(
  whole: string,
  decimal: string | undefined,
  hexadecimal: string | undefined,
  name: string | undefined
): string {
  if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/**
 * Replaces HTML entities in a text by their characters (HTML §13.5): all numeric ones and the named ones that upstreams
 * use.
 */
export const unescapeEntities = (text: string): string =>
  text.replace(/&(?:#([0-9]{1,6})|#x([0-9a-f]{1,6})|([a-z]+));/giu, unescapeEntity)
