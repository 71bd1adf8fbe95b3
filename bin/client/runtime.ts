/** The HTTP call of each operation: method, path with placeholders, path and query parameters, and `Accept`. */
export type CallTable = Readonly<
  Record<
    string,
    readonly [method: string, path: string, params: readonly string[], query: readonly string[], accept: string]
  >
>

type ClientOptions = Readonly<{
  baseUrl: string
  headers?: Readonly<Record<string, string>>
  fetch?: typeof globalThis.fetch
}>

/** Parameters by name; `body` may be any JSON value. */
type Input = Readonly<Record<string, string | number | boolean | undefined>>
type Init = Omit<RequestInit, 'headers'> & Readonly<{ headers?: Readonly<Record<string, string>> }>

/** An error response, or a 304, which has no body. `body` is JSON with an `error`, or text. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const { error } = Object(body) as { error?: { code?: string; message?: string } }
    super(error?.message ?? `The service answered ${status}.`)
    this.name = 'ServiceError'
    this.status = status
    this.code = error?.code
    this.body = body
  }
}

/**
 * Encodes one path segment. Throws a TypeError for an empty text and for `.` and `..`, which URLs resolve even when
 * they are escaped (WHATWG URL): they would lead to another path.
 */
function segmentOf(name: string, value: Input[string]): string {
  const text = String(value ?? '')
  if (/^\.{0,2}$/.test(text))
    throw new TypeError(`\`${name}\` is a part of the path and cannot be ${text === '' ? 'empty' : `\`${text}\``}.`)
  return encodeURIComponent(text)
}

function urlOf(
  baseUrl: string,
  path: string,
  params: readonly string[],
  query: readonly string[],
  input: Input
): string {
  const filled = params.reduce((text, name) => text.replace(`{${name}}`, () => segmentOf(name, input[name])), path)
  const search = new URLSearchParams(
    query.flatMap((name): [string, string][] => (input[name] === undefined ? [] : [[name, String(input[name])]]))
  ).toString()
  // What belongs to the origin is not below the path of the service.
  const base = /^\/(?:\.well-known\/|robots\.txt$)/.test(path) ? new URL(baseUrl).origin : baseUrl.replace(/\/$/, '')
  return base + filled + (search === '' ? '' : `?${search}`)
}

/** Returns a function for each operation, which resolves to the response body or rejects with a ServiceError. */
export function clientOf(
  table: CallTable,
  { baseUrl, headers = {}, fetch = globalThis.fetch }: ClientOptions
): Record<string, (input?: Input, init?: Init) => Promise<unknown>> {
  const functions = Object.entries(table).map(
    ([name, [method, path, params, query, accept]]) =>
      [
        name,
        async (input: Input = {}, init: Init = {}) => {
          const body = input['body'] === undefined ? {} : { body: JSON.stringify(input['body']) }
          const sent = {
            Accept: accept,
            ...('body' in body ? { 'Content-Type': 'application/json' } : {}),
            ...headers,
            ...init.headers
          }
          const response = await fetch(urlOf(baseUrl, path, params, query, input), {
            ...init,
            ...body,
            method,
            headers: sent
          })
          const answer: unknown = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
            ? await response.json()
            : await response.text()
          if (response.status >= 400 || response.status === 304) throw new ServiceError(response.status, answer)
          return answer
        }
      ] as const
  )
  return Object.fromEntries(functions)
}
