import type { Example } from '../manifest/surface.ts'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A curl command that sends the example unchanged: copy, paste, run. */
export function commandLine (origin: string, example: Example): string {
  const parts = ['curl', '-sS']
  if (example.method !== 'GET') parts.push('-X', example.method)
  const headers = { ...(example.body === undefined ? {} : { 'Content-Type': 'application/json' }), ...example.headers }
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`))
  if (example.body !== undefined) parts.push('--data-raw', quote(JSON.stringify(example.body)))
  return [...parts, quote(origin + example.url)].join(' ')
}
