import { defineHandlerFor } from 'pantry/handler'
import type { Services } from './services.ts'

/**
 * Defines the handler of a surface: `export default defineHandler({ … })` in the file that is named after the surface's
 * id.
 */
export const defineHandler = defineHandlerFor<Services>()
