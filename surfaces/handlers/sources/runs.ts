import { closed, Count, notFound, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { lastRunOf, RunNumbers } from '../../sources/meta.ts'

const most = 100
const usual = 20

/** Returns the imports of a source, the newest first, without refused rows or who requested a run. */
export default defineHandler({
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 80, description: 'Id of a registered source.' }) }),
  query: Type.Object({
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of a run: only those before it.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: usual, description: 'Most runs to show.' }))
  }),
  reply: closed({
    source: Text,
    count: Count,
    runs: Type.Array(closed({ run: Count, ...RunNumbers }), { maxItems: most })
  }),
  async handle({ params: { id }, query: { before, limit = usual }, now }, { runs, sources }) {
    if (!sources.has(id)) throw notFound('source', id, { field: 'id', known_ids: [...sources.keys()].sort() })
    const shown = (await runs.history(id, before, limit)).map(run => ({ run: run.id, ...lastRunOf(run, now) }))
    return reply({ source: id, count: shown.length, runs: shown })
  }
})
