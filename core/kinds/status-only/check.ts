import { isObject } from '../../canonical/json.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggest } from '../../diagnostics/suggest.ts'
import type { Context, ManifestFile } from '../../manifest/kind.ts'
import { placeholdersOf } from '../../manifest/paths.ts'
import { report } from '../../source/report.ts'
import { checkEcho } from '../echo.ts'
import { freeMembers } from '../fixed-members.ts'
import { codesOf, errorCodeOf } from './error-code.ts'
import type { StatusOnlyManifest } from './manifest.ts'

type File = ManifestFile<StatusOnlyManifest>

const listed = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(', ')

/** M307, M308: an error status needs a message and a declared code that belongs to the status. */
export function checkError({ source, manifest }: File, { errors }: Pick<Context, 'errors'>): Diagnostic[] {
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

export const checkStatusOnly = (file: File): Diagnostic[] => [
  ...checkRetry(file),
  ...checkLocation(file),
  ...checkLines(file),
  ...checkEchoed(file)
]
