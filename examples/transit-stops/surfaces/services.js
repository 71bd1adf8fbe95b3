// @ts-check
import { defineHandlerFor } from 'pantry/handler'

/** @typedef {{ database: import('pantry/database').Database }} Services */

/** @type {import('pantry/handler').OpenServices<Services>} */
const openServices = async ({ database }) => ({ services: { database: await database() } })
export default openServices

/** Writes a handler that is given these services. */
export const defineHandler = /** @type {typeof defineHandlerFor<Services>} */ (defineHandlerFor)()
