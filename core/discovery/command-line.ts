import type { Example } from '../manifest/surface.ts'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a curl command that sends the request of the example, to copy and run. */
export function commandLine(origin: string, example: Example): string {
  const parts = ['curl', '-sS']
  if (example.method !== 'GET') parts.push('-X', example.method)
  const headers = {
    ...(example.content === undefined ? {} : { 'Content-Type': example.content.type }),
    ...example.headers
  }
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`))
  if (example.content !== undefined) parts.push('--data-raw', quote(example.content.text))
  return [...parts, quote(origin + example.url)].join(' ')
}
