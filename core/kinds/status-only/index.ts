import type { JsonObject, JsonValue } from '../../canonical/json.ts'
import type { Context } from '../../manifest/kind.ts'
import { inferSchema } from '../../schema/json-schema.ts'
import { echoInput, echoOf, withEchoed } from '../echo.ts'
import { declaredContracts } from '../contracts.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, paramsExample } from '../scaffold.ts'
import { checkError, checkStatusOnly } from './check.ts'
import { errorCodeOf } from './error-code.ts'
import { fields, type StatusOnlyManifest } from './manifest.ts'
import { compileStatusOnly, type StatusOnlyAnswer } from './source.ts'

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
