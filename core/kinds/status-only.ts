import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/suggest.ts'
import type { Context, ManifestFile } from '../manifest/kind.ts'
import { AnyMethods, type ManifestWith } from '../manifest/manifest.ts'
import { segment } from '../manifest/normalise.ts'
import { placeholdersOf } from '../manifest/paths.ts'
import { quotedPlaceholders } from '../manifest/rules.ts'
import type { FixedAnswer, Surface } from '../manifest/surface.ts'
import type { PlanInput, Result, ContentSource } from '../plan/kind.ts'
import { inferSchema } from '../schema/json-schema.ts'
import { report } from '../source/report.ts'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import { checkEcho, EchoField, echoing, echoInput, echoOf, withEchoed } from './echo.ts'
import { AnyMembers, declaredContracts, checkMemberNames } from './fields.ts'
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
  details: Type.Optional(AnyMembers({ examples: [{ back: '2027-01-01' }], description: 'Details of a failure.' })),
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
type File = ManifestFile<StatusOnlyManifest>
type Codes = Context['errors']

const codesOf = (status: number, codes: Codes): string[] =>
  Object.keys(codes).filter(code => codes[code]?.status === status)

/** Codes that say something of one request, so that no fixed answer has them unless it names them. */
const ofRequests: ReadonlySet<string> = new Set<ErrorCode>([
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
  'PRECONDITION_FAILED',
  'PRECONDITION_REQUIRED'
])

function errorCodeOf({ status, code }: StatusOnlyManifest, codes: Codes): string | undefined {
  if (code !== undefined || status < 400) return code
  const [only, ...others] = codesOf(status, codes).filter(one => !ofRequests.has(one))
  return others.length === 0 ? only : undefined
}

function* checkError({ source, manifest }: File, { errors }: Context): Generator<Diagnostic> {
  const { status, code, message } = manifest
  if (status < 400) {
    const useless = (['code', 'message', 'details'] as const).find(name => manifest[name] !== undefined)
    if (useless !== undefined)
      yield report(source, 'M307', [useless], `A ${status} is not a failure, so it has no \`${useless}\`.`, {
        on: 'key',
        hint: 'Put it into `answer`.'
      })
    return
  }
  const fitting = codesOf(status, errors)
  const known = code === undefined ? undefined : errors[code]
  if (code !== undefined && known?.status !== status) {
    if (known === undefined) {
      const nearest = suggest(code, Object.keys(errors))
      const declare = `Declare it under \`errors:\` in \`service.yaml\`, with the status ${status}.`
      yield report(source, 'M308', ['code'], `There is no error code \`${code}\`.`, {
        hint: nearest === undefined ? declare : `Did you mean \`${nearest}\`?`
      })
    } else
      yield report(source, 'M308', ['code'], `\`${code}\` has the status ${known.status}, not ${status}.`, {
        hint: fitting.length === 0 ? 'No code has this status.' : `Codes of ${status}: ${quotedList(fitting)}.`
      })
  } else if (errorCodeOf(manifest, errors) === undefined) {
    const hint =
      fitting.length === 0
        ? `Declare a code under \`errors:\` in \`service.yaml\`, with the status ${status}, and name it in \`code:\`.`
        : `Add \`code:\`, one of ${quotedList(fitting)}.`
    yield report(source, 'M307', ['status'], `A ${status} needs a \`code\`.`, { hint })
  } else if (message === undefined)
    yield report(source, 'M307', ['status'], `A ${status} needs a \`message\`.`, {
      hint: 'Add `message:` with a sentence for the caller.'
    })
}

const redirects = [301, 302, 303, 307, 308]

function* checkLocation({ source, manifest: { path, status, location, echo } }: File): Generator<Diagnostic> {
  if (location === undefined) {
    if (redirects.includes(status))
      yield report(source, 'M324', ['status'], `A ${status} leads elsewhere, but there is no \`location\`.`, {
        hint: 'Add `location:` with a path or a URL.'
      })
  } else if (!redirects.includes(status))
    yield report(source, 'M324', ['location'], `A ${status} leads nowhere.`, {
      on: 'key',
      hint: `\`location\` goes with ${redirects.join(', ')}.`
    })
  else if (echo !== undefined)
    yield report(source, 'M324', ['echo'], 'A redirect echoes nothing.', { on: 'key', hint: 'Remove `echo`.' })
  else {
    const names = placeholdersOf(path)
    const unknown = placeholdersOf(location).find(name => !names.includes(name))
    const hint =
      names.length === 0 ? 'Write the location without placeholders.' : `Known: ${quotedPlaceholders(names)}.`
    if (unknown !== undefined)
      yield report(source, 'M324', ['location'], `The path has no placeholder \`{${unknown}}\`.`, { hint })
  }
}

function* checkStatusOnly(file: File): Generator<Diagnostic> {
  const { source, manifest } = file
  const { status, formats = [], answer, echo } = manifest
  if (manifest.retry_after !== undefined && status !== 503 && status !== 429)
    yield report(source, 'M310', ['retry_after'], `A ${status} is not retried.`, {
      on: 'key',
      hint: '`retry_after` goes with 429 and 503.'
    })
  yield* checkLocation(file)
  if (formats.includes('ndjson') && (!Array.isArray(answer) || answer.length === 0))
    yield report(source, 'M309', ['formats'], 'An NDJSON answer is a list.', {
      hint: 'Write `answer:` as a list with one value for each line.'
    })
  if (echo === undefined) return
  if (isObject(answer)) {
    yield* checkEcho(file, echo)
    yield* checkMemberNames(file, answer, Object.keys(echo), 'answer')
  } else
    yield report(source, 'M320', ['echo'], 'There is no mapping `answer` to hold the echo.', {
      on: 'key',
      hint: 'Write `answer:` with members.'
    })
}

export type StatusOnlyAnswer = FixedAnswer & Readonly<{ status: number; retryAfterSeconds?: number }>

const filled = (location: string, params: PlanInput['params']): string =>
  location.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))

/** Compiles the fixed answer. The kind has no capabilities, so it cannot read corpora or services. */
export function compileStatusOnly(surface: Surface<StatusOnlyAnswer>): ContentSource {
  const { status, error, data, echo, location, retryAfterSeconds } = surface.answer
  const result: Result = {
    status,
    data,
    ...(error === undefined ? {} : { error }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  if (location !== undefined)
    return {
      when: 'pure',
      ignoresInput: surface.route.placeholders.length === 0,
      answer: ({ params }) => ({ ...result, headers: { ...result.headers, Location: filled(location, params) } })
    }
  return echo === undefined
    ? { when: 'pure', ignoresInput: true, answer: () => result }
    : echoing(result, data as JsonObject, echo)
}

const unread = { ...segment, description: 'Not read: the answer is the same for every value.' }

export const statusOnly = defineKind<StatusOnlyManifest, StatusOnlyAnswer>({
  name: 'status-only',
  meaning: 'A fixed answer: no body, corpus or service is read.',
  reaches: [],
  fields,
  renamed: { document: 'answer', lines: 'answer' },
  holds: ['value', 'words', 'lines'],
  contracts: declaredContracts,
  check: file => [...checkStatusOnly(file)],
  checkFit: (file, context) => [...checkError(file, context)],
  answer: ({ manifest }, { errors }) => {
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
  },
  facts: answer => ({ status: answer.status, fixed: answer }),
  input: ({ answer, placeholders }) =>
    echoInput(answer.echo, placeholders, answer.location === undefined ? unread : undefined),
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
