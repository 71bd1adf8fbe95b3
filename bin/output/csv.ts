const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Formats comma-separated values with a header line (RFC 4180 §2): CRLF ends every record, and values are quoted where
 * necessary.
 */
export const csv = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, ...rows].map(cells => `${cells.map(field).join(',')}\r\n`).join('')
