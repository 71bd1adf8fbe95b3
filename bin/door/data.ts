/**
 * `pantry/data`: what the code behind handlers is written with. It knows values, schemas, corpora and refusals, but no
 * request: a handler turns a request into a call of such code. `pantry/handler` has all of it too.
 *
 * @module
 */
export type { Static, TSchema } from 'typebox'
export { Type } from '../../core/canonical/type.ts'
export {
  browserCookie,
  cookiePath,
  digestOf,
  isLocal,
  isSame,
  keyTag,
  newKey,
  newSecret,
  sessionCookie,
  type Caller,
  type Callers,
  type Counted
} from '../../core/access/access.ts'
export {
  canonicalize,
  hashCanonical,
  isObject,
  sha256Hex,
  type JsonObject,
  type JsonSchema,
  type JsonValue
} from '../../core/canonical/json.ts'
export { basePathOf, originOf, urlOf } from '../../core/canonical/url.ts'
export * from '../../core/contract/math-mirror.ts'
export * from '../../core/contract/shapes.ts'
export type { Corpus, CorpusCheck, CorpusChecks, Entry, EntryProblem } from '../../core/corpus/corpus.ts'
export { defineJob, defineJobFor, type Every, type Job, type JobRun } from '../../core/database/jobs/job.ts'
export type { WebhookTypes } from '../../core/database/webhooks/types.ts'
export type { Webhooks } from '../../core/database/webhooks/webhooks.ts'
export {
  joinParts,
  type Health,
  type OpenServices,
  type Progress,
  type RootServices,
  type ServiceLog,
  type ServicesGiven,
  type ServicesPart
} from '../../core/database/root-services.ts'
export { counted } from '../../core/diagnostics/diagnostic.ts'
export { editDistance, suggest } from '../../core/diagnostics/suggest.ts'
export { csvRow } from '../../core/format/data.ts'
export { escapeXml, humanise } from '../../core/format/format.ts'
export { renderProse } from '../../core/format/text.ts'
export * from '../../core/handler/errors.ts'
export { safeFetch, type OutgoingAnswer, type OutgoingRequest, type Reach } from '../../core/http/safe-fetch.ts'
export { compileSchema } from '../../core/schema/compile.ts'
export { cut, cutWhole, jsonMembers, needsPiece, NoMembers, type Cutter } from '../../core/source/cut-json.ts'
export { parseStrictJson } from '../../core/source/strict-json.ts'
export type { MirrorText } from '../../core/handler/handler.ts'
export type { DataOf } from '../../core/manifest/kind.ts'
export type { PathTo } from '../../core/manifest/paths.ts'
export type { Service } from '../../core/manifest/service.ts'
export { fill } from '../../core/vocabulary/language.ts'
export type { ErrorCode } from '../../core/vocabulary/error-codes.ts'
