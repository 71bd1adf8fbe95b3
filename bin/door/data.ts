/**
 * `pantry/data`: the API for domain code that handlers call. It has values, schemas, corpora and errors, but no
 * requests: handlers translate between requests and domain code. `pantry/handler` exports all of it too.
 */
export type { Static, TSchema } from 'typebox'
export { Type } from '../../core/canonical/type.ts'
export type { Caller, Callers, Counted } from '../../core/access/access.ts'
export { isLocal } from '../../core/access/host.ts'
export { keyTag, newKey } from '../../core/access/key.ts'
export * from '../../core/access/secret.ts'
export { browserCookie, sessionCookie } from '../../core/access/session.ts'
export * from '../../core/canonical/canonical-json.ts'
export * from '../../core/canonical/json.ts'
export { urlOf } from '../../core/canonical/url.ts'
export * from '../../core/contract/math-mirror.ts'
export * from '../../core/contract/mirror-schema.ts'
export * from '../../core/contract/shapes.ts'
export type { CorpusCheck, CorpusChecks, EntryProblem } from '../../core/corpus/check.ts'
export type { Corpus, Entry } from '../../core/corpus/corpus.ts'
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
export { counted } from '../../core/diagnostics/counted.ts'
export { editDistance } from '../../core/diagnostics/edit-distance.ts'
export { suggest } from '../../core/diagnostics/suggest.ts'
export { escapeXml } from '../../core/format/escape.ts'
export { humanise } from '../../core/format/format.ts'
export { renderProse } from '../../core/format/txt.ts'
export * from '../../core/handler/errors.ts'
export { compileSchema } from '../../core/schema/compile.ts'
export { parseStrictJson } from '../../core/source/strict-json.ts'
export type { MirrorText } from '../../core/handler/handler.ts'
export type { DataOf } from '../../core/manifest/data-of.ts'
export type { PathTo } from '../../core/manifest/path-to.ts'
export type { Service } from '../../core/manifest/service.ts'
export type { ErrorCode } from '../../core/vocabulary/error-codes.ts'
