/**
 * `pantry/handler`: what the code of a root is written with, in `surfaces/`.
 *
 * @module
 */
import { defineHandlerFor } from '../../core/handler/handler.ts'

export * from './data.ts'
export { conceptsFor, conceptsOf, type Concept } from '../../core/discovery/concepts.ts'
export {
  defineDerived,
  defineHandlerFor,
  reply,
  SentFile,
  type Ask,
  type Asked,
  type CorporaOf,
  type CorporaRead,
  type Derivation,
  type DerivedFrom,
  type Handler,
  type HandlerDefinition,
  type MirrorText,
  type None,
  type Passed,
  type Reply,
  type SentFiles,
  type SurfaceRequest
} from '../../core/handler/handler.ts'
export type { AnsweredRequest, Hooks } from '../../core/http/hooks.ts'
export type { FileInput } from '../../core/manifest/surface.ts'
export type { Coded, HandlerTable } from '../../core/plan/bind-handlers.ts'
export type { DocumentExtension, Registry } from '../../core/registry/registry.ts'

/**
 * Defines a handler that needs no services. A root with services creates its own typed function:
 * `defineHandlerFor<Services>()`.
 */
export const defineHandler = defineHandlerFor<Readonly<Record<string, unknown>>>()
