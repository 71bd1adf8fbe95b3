import type { FormatModule, View } from './format.ts'

/** Writes one JSON value per line: the entries of a collection, the items of an array, or the document itself. */
function renderLines(view: View): string {
  const items: readonly unknown[] = view.list?.entries ?? (Array.isArray(view.data) ? view.data : [view.data])
  return items.map(item => `${JSON.stringify(item)}\n`).join('')
}

export const ndjson: FormatModule = {
  mediaType: 'application/x-ndjson; charset=utf-8',
  accepts: ['application/x-ndjson'],
  of: ['list', 'lines'],
  render: renderLines
}
