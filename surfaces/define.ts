import { defineHandlerFor } from 'pantry/handler'
import type { Services } from './services.ts'

/** Writes the handler of a surface: `export default defineHandler({ … })` in the file named as the surface's id. */
export const defineHandler = defineHandlerFor<Services>()
