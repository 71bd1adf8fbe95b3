import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/suggest.ts'
import type { Context, ManifestFile } from '../manifest/kind.ts'
import { AnyMethods, type ManifestWith } from '../manifest/manifest.ts'
import { placeholdersOf } from '../manifest/paths.ts'
import type { FixedAnswer, Surface } from '../manifest/surface.ts'
import type { PlanInput, Result, ContentSource } from '../plan/kind.ts'
import { inferSchema } from '../schema/json-schema.ts'
import { report } from '../source/report.ts'
import { checkEcho, EchoField, echoing, echoInput, echoOf, withEchoed } from './echo.ts'
import { declaredContracts, freeMembers } from './fields.ts'
import { defineKind } from './kind.ts'
import { defaultPath, paramsExample } from './scaffold.ts'

const fields = {
  method: Type.Optional(AnyMethods),
  status: Type.Integer({ minimum: 200, maximum: 599, examples: [503], description: 'HTTP status of every answer.' }),
  location: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^(/|https?://)',
      examples: ['/api/v1/guides/{slug}'],
      description: 'Where a redirect leads: a path, with the placeholders of `path`, or a URL. Sent as `Location`.'
    })
  ),
  code: Type.Optional(
    Type.String({
      pattern: '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$',
      examples: ['SOURCE_UNAVAILABLE'],
      description:
        'Error code of a failure, of the framework or declared under `errors:` in `service.yaml`; may be left out where only one code has the status.'
    })
  ),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      examples: ['Loans are never published.'],
      description: 'Message of a failure.'
    })
  ),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ back: '2027-01-01' }],
      description: 'Details of a failure.'
    })
  ),
  answer: Type.Optional(
    Type.Unknown({
      examples: [{ publication_status: 'paused' }],
      description:
        'The answer itself, such as a status document; a list is one line for each item in the format `ndjson`.'
    })
  ),
  echo: EchoField,
  retry_after: Type.Optional(
    Type.Integer({ minimum: 1, examples: [86_400], description: 'Seconds, sent as Retry-After.' })
  )
}

type StatusOnlyManifest = ManifestWith<typeof fields>

type Codes = Context['errors']

const codesOf = (status: number, codes: Codes): string[] =>
  Object.keys(codes).filter(code => codes[code]?.status === status)

/** Returns the error code of a fixed error: the declared one, or the only code that has its status. */
function errorCodeOf({ status, code }: StatusOnlyManifest, codes: Codes): string | undefined {
  if (code !== undefined || status < 400) return code
  const [only, ...others] = codesOf(status, codes)
  return others.length === 0 ? only : undefined
}

type File = ManifestFile<StatusOnlyManifest>

const listed = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(', ')

/** M307, M308: an error status needs a message and a declared code that belongs to the status. */
function checkError({ source, manifest }: File, { errors }: Pick<Context, 'errors'>): Diagnostic[] {
  const { status, code, message, details } = manifest
  if (status < 400) {
    const useless =
      code !== undefined ? 'code' : message !== undefined ? 'message' : details !== undefined ? 'details' : undefined
    return useless === undefined
      ? []
      : [
          report(source, 'M307', [useless], `A ${status} is not a failure, so it has no \`${useless}\`.`, {
            on: 'key',
            hint: 'Put it into `answer`.'
          })
        ]
  }
  const fitting = codesOf(status, errors)
  const known = code === undefined ? undefined : errors[code]
  if (code !== undefined && known === undefined) {
    const nearest = suggest(code, Object.keys(errors))
    return [
      report(source, 'M308', ['code'], `There is no error code \`${code}\`.`, {
        hint:
          nearest !== undefined
            ? `Did you mean \`${nearest}\`?`
            : `Declare it under \`errors:\` in \`service.yaml\`, with the status ${status}.`
      })
    ]
  }
  if (known !== undefined && known.status !== status) {
    return [
      report(source, 'M308', ['code'], `\`${code ?? ''}\` has the status ${known.status}, not ${status}.`, {
        hint: fitting.length === 0 ? 'No code has this status.' : `Codes of ${status}: ${listed(fitting)}.`
      })
    ]
  }
  const missing = errorCodeOf(manifest, errors) === undefined ? 'code' : message === undefined ? 'message' : undefined
  if (missing === undefined) return []
  const hint =
    missing === 'message'
      ? 'Add `message:` with a sentence for the caller.'
      : fitting.length === 0
        ? `Declare a code under \`errors:\` in \`service.yaml\`, with the status ${status}, and name it in \`code:\`.`
        : `Add \`code:\`, one of ${listed(fitting)}.`
  return [report(source, 'M307', ['status'], `A ${status} needs a \`${missing}\`.`, { hint })]
}

/** M310: `retry_after` is allowed only with the statuses 429 and 503. */
const checkRetry = ({ source, manifest: { status, retry_after: retryAfter } }: File): Diagnostic[] =>
  retryAfter === undefined || status === 503 || status === 429
    ? []
    : [
        report(source, 'M310', ['retry_after'], `A ${status} is not retried.`, {
          on: 'key',
          hint: '`retry_after` goes with 429 and 503.'
        })
      ]

const redirects = [301, 302, 303, 307, 308]

/**
 * M324: a redirect status needs a `location`, and only a redirect may have one. Its placeholders must be in the path.
 */
function checkLocation({ source, manifest: { path, status, location, echo } }: File): Diagnostic[] {
  if (location === undefined)
    return !redirects.includes(status)
      ? []
      : [
          report(source, 'M324', ['status'], `A ${status} leads elsewhere, but there is no \`location\`.`, {
            hint: 'Add `location:` with a path or a URL.'
          })
        ]
  if (!redirects.includes(status))
    return [
      report(source, 'M324', ['location'], `A ${status} leads nowhere.`, {
        on: 'key',
        hint: `\`location\` goes with ${redirects.join(', ')}.`
      })
    ]
  if (echo !== undefined)
    return [report(source, 'M324', ['echo'], 'A redirect echoes nothing.', { on: 'key', hint: 'Remove `echo`.' })]
  const known = placeholdersOf(path)
  const unknown = placeholdersOf(location).find(name => !known.includes(name))
  return unknown === undefined
    ? []
    : [
        report(source, 'M324', ['location'], `The path has no placeholder \`{${unknown}}\`.`, {
          hint:
            known.length === 0
              ? 'Write the location without placeholders.'
              : `Known: ${listed(known.map(name => `{${name}}`))}.`
        })
      ]
}

/** M309: with the format `ndjson`, the answer must be a list that is not empty; each item becomes a line. */
const checkLines = ({ source, manifest: { formats = [], answer } }: File): Diagnostic[] =>
  !formats.includes('ndjson') || (Array.isArray(answer) && answer.length > 0)
    ? []
    : [
        report(source, 'M309', ['formats'], 'An NDJSON answer is a list.', {
          hint: 'Write `answer:` as a list with one value for each line.'
        })
      ]

/** M320: `echo` needs an `answer` that is a mapping. */
function checkEchoed(file: File): Diagnostic[] {
  const {
    source,
    manifest: { answer, echo }
  } = file
  if (echo === undefined) return []
  if (!isObject(answer))
    return [
      report(source, 'M320', ['echo'], 'There is no mapping `answer` to hold the echo.', {
        on: 'key',
        hint: 'Write `answer:` with members.'
      })
    ]
  return [...checkEcho(file, echo), ...freeMembers(file, answer, Object.keys(echo), 'answer')]
}

const checkStatusOnly = (file: File): Diagnostic[] => [
  ...checkRetry(file),
  ...checkLocation(file),
  ...checkLines(file),
  ...checkEchoed(file)
]

export type StatusOnlyAnswer = FixedAnswer & Readonly<{ status: number; retryAfterSeconds?: number; location?: string }>

/** Fills the placeholders of a path or URL, each value as one segment. */
const filled = (location: string, params: PlanInput['params']): string =>
  location.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))

/**
 * Compiles a surface that answers with the declared status and document, and echoed parameters. The kind has no
 * capabilities, so it cannot read a body, corpora or services.
 */
export function compileStatusOnly(surface: Surface<StatusOnlyAnswer>): ContentSource {
  const { status, error, data, echo, location, retryAfterSeconds } = surface.answer
  const result: Result = {
    status,
    data,
    ...(error === undefined ? {} : { error }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  if (location !== undefined) {
    const isSame = surface.route.placeholders.length === 0
    return {
      when: 'pure',
      ignoresInput: isSame,
      answer: ({ params }) => ({ ...result, headers: { ...result.headers, Location: filled(location, params) } })
    }
  }
  return echo === undefined
    ? { when: 'pure', ignoresInput: true, answer: () => result }
    : echoing(result, data as JsonObject, echo)
}

function answerOf(manifest: StatusOnlyManifest, errors: Context['errors']): StatusOnlyAnswer {
  const { status, message, details, location, retry_after: retryAfterSeconds } = manifest
  const code = errorCodeOf(manifest, errors)
  return {
    status,
    ...(code === undefined || message === undefined
      ? {}
      : { error: { code, message, ...(details === undefined ? {} : { details: details as JsonObject }) } }),
    data: (manifest.answer ?? null) as JsonValue,
    ...(location === undefined ? {} : { location }),
    ...echoOf(manifest.echo),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  }
}

/** A kind with a fixed answer. Its path may have any placeholders. */
export const statusOnly = defineKind<StatusOnlyManifest, StatusOnlyAnswer>({
  name: 'status-only',
  meaning: 'A fixed answer: no body, corpus or service is read.',
  reaches: [],
  fields,
  renamed: { document: 'answer', lines: 'answer' },
  holds: ['value', 'words', 'lines'],
  contracts: declaredContracts,
  check: checkStatusOnly,
  checkFit: checkError,
  answer: ({ manifest }, { errors }) => answerOf(manifest, errors),
  facts: answer => ({ status: answer.status, fixed: answer }),
  input: ({ answer, placeholders }) => echoInput(answer.echo, placeholders),
  output: ({ answer: { data, echo }, input }) => withEchoed(inferSchema(data), echo, input.params),
  compile: compileStatusOnly,
  scaffold: ({ id, path = defaultPath(id) }) => ({
    path,
    provenance: 'static',
    fields: {
      status: 503,
      code: 'SOURCE_UNAVAILABLE',
      message: 'Publication is paused.',
      answer: { publication_status: 'paused' },
      retry_after: 86_400
    },
    ...paramsExample(path)
  })
})
