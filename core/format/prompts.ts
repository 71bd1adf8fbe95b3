import type { JsonObject } from '../canonical/json.ts'
import { renderMarkdown } from './md.ts'
import type { FormatModule, View } from './format.ts'

/** The document's Markdown in the request shape of one model vendor, ready to be pasted. */
const prompt = (provider: string, shape: (text: string) => JsonObject): FormatModule => ({
  mediaType: 'application/json; charset=utf-8',
  accepts: [],
  of: ['object'],
  render: (view: View) => JSON.stringify({ ...shape(renderMarkdown(view)), _meta: { provider, canonical_url: view.url } })
})

export const anthropic = prompt('anthropic', text => ({ system: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] }))
export const openai = prompt('openai', content => ({ messages: [{ role: 'system', content }] }))
export const gemini = prompt('gemini', text => ({ systemInstruction: { parts: [{ text }] } }))
export const cohere = prompt('cohere', content => ({ messages: [{ role: 'system', content }] }))
