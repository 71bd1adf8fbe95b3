/**
 * `pantry/handler`: what the code of a root is written with, in `surfaces/`.
 *
 * @module
 */
import { defineHandlerFor } from '../../core/handler/handler.ts'

export * from './data.ts'
export { conceptsFor, conceptsOf, type Concept } from '../../core/discovery/concepts.ts'
export * from '../../core/handler/derived.ts'
export * from '../../core/handler/handler.ts'
export type { AnsweredRequest, Hooks } from '../../core/http/hooks.ts'
export { SentFile, type SentFiles } from '../../core/handler/sent-file.ts'
export type { FileInput } from '../../core/manifest/surface.ts'
export type { DocumentExtension, Registry } from '../../core/registry/registry.ts'

/**
 * Defines a handler that needs no services. A root with services creates its own typed function:
 * `defineHandlerFor<Services>()`.
 */
export const defineHandler = defineHandlerFor<Readonly<Record<string, unknown>>>()
