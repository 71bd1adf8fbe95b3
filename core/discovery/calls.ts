import type { Example } from '../manifest/surface.ts'
import { commandLine } from './command-line.ts'

/**
 * Returns a string literal for JavaScript (ECMA-262 §11.8.4) and Python: a JSON string with all characters outside
 * ASCII escaped.
 */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[^\0-\x7f]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const headersOf = ({ content, headers }: Example): Readonly<Record<string, string>> => ({
  ...(content === undefined ? {} : { 'Content-Type': content.type }),
  ...headers
})

const members = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)
    .join(', ')

function javascript(origin: string, example: Example): string {
  const headers = headersOf(example)
  const options = [
    ...(example.method === 'GET' ? [] : [`method: ${quoted(example.method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: { ${members(headers)} }`]),
    ...(example.content === undefined ? [] : [`body: ${quoted(example.content.text)}`])
  ]
  return `const answer = await fetch(${quoted(origin + example.url)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})\nconsole.log(answer.status, await answer.text())`
}

function python(origin: string, example: Example): string {
  const headers = headersOf(example)
  const given = [
    quoted(origin + example.url),
    ...(example.content === undefined ? [] : [`data=${quoted(example.content.text)}.encode()`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers={${members(headers)}}`]),
    ...(example.method === 'GET' ? [] : [`method=${quoted(example.method)}`])
  ]
  return `import urllib.request\nrequest = urllib.request.Request(${given.join(', ')})\nwith urllib.request.urlopen(request) as answer:\n    print(answer.status, answer.read().decode())`
}

/**
 * Returns the same request as a curl command, JavaScript and Python, to copy and run without further libraries. The
 * Python code raises on error statuses, as `urllib` does.
 */
export const callsOf = (
  origin: string,
  example: Example
): Readonly<{ curl: string; javascript: string; python: string }> => ({
  curl: commandLine(origin, example),
  javascript: javascript(origin, example),
  python: python(origin, example)
})
