import type { FormatModule, View } from './format.ts'

/** The data alone; the contract of the surface wraps it. */
export const json: FormatModule = {
  mediaType: 'application/json; charset=utf-8',
  accepts: ['application/json', 'application/*+json'],
  of: ['value'],
  render: (view: View) => JSON.stringify(view.data)
}

/** The same document with the name of the rendering in it, for readers that keep what they fetch without its headers. */
export const xenoform: FormatModule = {
  mediaType: 'application/json; charset=utf-8',
  accepts: [],
  of: ['object'],
  render: (view: View) => JSON.stringify({ _format: 'xenoform', _canonical_url: view.url, data: view.data })
}
