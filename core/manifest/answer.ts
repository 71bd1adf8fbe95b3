import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { known, type Context } from './context.ts'
import { errorCodeOf } from './error-code-of.ts'
import { handlerIdOf } from './handler-id.ts'
import type { Manifest, ManifestOf } from './schema.ts'
import type { AnswerSource, Echoes, Filter, StatusOnly } from './surface.ts'

/** The filters of a collection, with the short form written out. */
export const filtersOf = (manifest: ManifestOf<'collection'>): Filter[] => (manifest.filters ?? []).map(filter =>
  typeof filter === 'string' ? { name: filter, field: filter, operation: 'equals' } : filter)

/** What an echoed parameter may hold where its manifest gives no pattern: no control characters. */
const plainText = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

const echoOf = ({ echo }: ManifestOf<'status-only' | 'document'>): { echo?: Echoes } => echo === undefined ? {} : {
  echo: Object.fromEntries(Object.entries(echo).map(([name, { description, max_length: maxLength, pattern = plainText, normalise = [] }]) =>
    [name, { description, maxLength, pattern, normalise }]))
}

function statusOnly (manifest: ManifestOf<'status-only'>): StatusOnly {
  const { status, message, details, lines, retry_after: retryAfterSeconds } = manifest
  const code = errorCodeOf(manifest)
  return {
    kind: 'status-only',
    status,
    ...(code === undefined || message === undefined ? {} : { error: { code, message, ...(details === undefined ? {} : { details: details as JsonObject }) } }),
    document: (manifest.document ?? null) as JsonValue,
    ...(lines === undefined ? {} : { lines: lines as JsonValue[] }),
    ...echoOf(manifest),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  }
}

/** Where the answer of a surface comes from, with every default filled in. */
export function answerOf (id: string, manifest: Manifest, context: Context): AnswerSource {
  switch (manifest.kind) {
    case 'status-only': return statusOnly(manifest)
    case 'document': return { kind: 'document', document: manifest.document, ...echoOf(manifest) }
    case 'collection': return {
      kind: 'collection',
      corpus: manifest.corpus,
      filters: filtersOf(manifest),
      ...(manifest.limit === undefined ? {} : { limit: manifest.limit }),
      order: manifest.order ?? known(context.corpora.get(manifest.corpus), `corpus ${manifest.corpus}`).order,
      ...(manifest.pick === undefined ? {} : { pick: manifest.pick }),
      ...(manifest.all === undefined ? {} : { all: manifest.all }),
      ...(manifest.fields === undefined ? {} : { fields: manifest.fields }),
      list: manifest.list ?? (manifest.pick === undefined ? 'entries' : 'entry'),
      document: (manifest.document ?? {}) as JsonObject
    }
    case 'entry': return {
      kind: 'entry', corpus: manifest.corpus, key: manifest.key, member: manifest.member ?? 'entry', document: (manifest.document ?? {}) as JsonObject
    }
    case 'witness': return {
      kind: 'witness',
      normalise: manifest.normalise ?? {},
      hash: manifest.hash,
      ...(manifest.advice === undefined ? {} : { advice: manifest.advice }),
      receipt: (manifest.receipt ?? {}) as JsonObject,
      document: (manifest.document ?? {}) as JsonObject
    }
    case 'discovery': return { kind: 'discovery', document: manifest.document }
    case 'handler': return { kind: 'handler', handler: handlerIdOf(id, manifest) }
  }
}
