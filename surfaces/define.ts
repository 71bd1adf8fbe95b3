import { defineHandlerFor } from 'pantry/handler'
import type { Services } from './services.ts'

/**
 * Defines the handler of a surface, which the file of its resource in `surfaces/handlers/` exports by the name that
 * follows from the id of the surface, or a file of its own as default export.
 */
export const defineHandler = defineHandlerFor<Services>()
