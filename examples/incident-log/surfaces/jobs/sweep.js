// @ts-check
import { defineJobFor } from 'pantry/data'

/** @typedef {import('../services.js').Services} Services */
const defineJob = /** @type {typeof defineJobFor<Services>} */ (defineJobFor)()

/** Deletes what was closed two years ago. What is deleted twice is gone as well, so a run may begin again. */
export default defineJob({
  every: 'day at 03:30',
  deadline: 60,
  run: async ({ database }, { log }) => {
    const old = database.knex('incidents').whereRaw("closed_at < now() - interval '2 years'")
    log.info({ deleted: await old.delete() }, 'Old incidents are deleted.')
  }
})
