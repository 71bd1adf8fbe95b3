const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const invisible = /^[\p{Mark}\p{Format}]+$/u
/** Created at first use, because that takes ten milliseconds. */
let segmenter: Intl.Segmenter | undefined
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }))

/** Returns the terminal columns of a text: two for wide East Asian characters and emoji (UAX #11), none for marks. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes().segment(text)) width += invisible.test(segment) ? 0 : wide.test(segment) ? 2 : 1
  return width
}

/** Replaces control characters and line breaks, so that a value cannot control the terminal. */
const plain = (text: string): string => text.replaceAll(/\p{Control}/gu, '\ufffd')

/** Formats columns with two spaces between them and no trailing spaces. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map(cells => cells.map(plain))
  const widths = header.map((_, column) => Math.max(...lines.map(cells => displayWidth(cells[column] ?? ''))))
  return lines
    .map(cells =>
      cells
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}

/** Indents text below its title. */
export const section = (title: string, text: string): string => `${title}\n\n${text.replaceAll(/^(?=.)/gm, '  ')}`

/** Formats members of rows under their names in capitals. */
export const tableOf = <Name extends string>(
  names: readonly Name[],
  rows: readonly Readonly<Record<Name, string>>[]
): string =>
  table(
    names.map(name => name.toUpperCase()),
    rows.map(row => names.map(name => row[name]))
  )

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Formats CSV (RFC 4180 §2): CRLF ends every record, and values are quoted where necessary. */
export const csv = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, ...rows].map(cells => `${cells.map(field).join(',')}\r\n`).join('')
