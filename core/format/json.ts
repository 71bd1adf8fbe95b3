import type { FormatModule, View } from './format.ts'

/** Writes only the data; the contract of the surface wraps it. */
export const json: FormatModule = {
  mediaType: 'application/json; charset=utf-8',
  accepts: ['application/json', 'application/*+json'],
  of: ['value'],
  render: (view: View) => JSON.stringify(view.data)
}
