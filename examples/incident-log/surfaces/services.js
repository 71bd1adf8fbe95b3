// @ts-check
import { defineHandlerFor } from 'pantry/handler'

/** @typedef {{ database: import('pantry/database').Database, webhooks: import('pantry/data').Webhooks }} Services */

/** @type {import('pantry/handler').OpenServices<Services>} */
const openServices = async ({ database, webhooks }) => ({ services: { database: await database(), webhooks } })
export default openServices

/** Writes a handler that is given these services. */
export const defineHandler = /** @type {typeof defineHandlerFor<Services>} */ (defineHandlerFor)()
