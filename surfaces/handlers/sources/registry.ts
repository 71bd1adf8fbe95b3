import { Type, closed, Count, Path, reply, Text } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import {
  countByAccess,
  healthOf,
  healthStates,
  ifReadable,
  LastRun,
  lastRunOf,
  metaOf,
  noRun,
  SourceMeta
} from '../../sources/meta.ts'

const conventions = {
  license:
    'Tier of the rows of a source. NOASSERTION: what a repository declares for itself does not show that its rows may be reused. proprietary: the policy of the upstream governs, as of a marketplace or a card-data API. Neither is a permission.',
  status: '`wired` sources can be imported, `planned` and `blocked` ones are never read; `status_reason` says why.',
  access:
    'How the rows of a wired source come: with a `package`, or from a `folder` that an operator keeps. Null when nothing is read.',
  open_conditions:
    'What an upstream asks of those who use its rows, as long as nobody has recorded here that it is done.',
  health: 'Derived from the age of the last succeeded import and the freshness budget, and from nothing else.',
  withheld: 'Notes and labels of runs, and rows that were refused, are not published.'
}

/**
 * Returns all registered sources with the state of their last run. The registry is available even without the database.
 */
export default defineHandler({
  entries: { in: 'sources', key: 'id' },
  reply: closed({
    '@kind': Type.Literal('source_registry'),
    description: Text,
    counts: closed({ registered_total: Count, wired: Count, planned: Count, blocked: Count }),
    ingest_runs_available: Type.Boolean(),
    sources: Type.Array(
      closed({
        ...SourceMeta,
        health: closed({ state: Type.Enum(Object.keys(healthStates)), reason: Text }),
        last_run: LastRun
      })
    ),
    health_states: Type.Record(Text, Text),
    conventions: Type.Record(Text, Text),
    related: Type.Record(Text, Path)
  }),
  async handle({ now, pathTo }, { runs, sources }) {
    const latest = await ifReadable(runs.latest())
    const all = [...sources.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    return reply({
      '@kind': 'source_registry',
      description: 'The upstreams that are known here: those that are read, and those that may not be.',
      counts: { registered_total: all.length, ...countByAccess(all) },
      ingest_runs_available: latest !== undefined,
      sources: all.map(source => {
        const run = latest?.get(source.id)
        return {
          ...metaOf(source),
          health: healthOf(source, latest === undefined ? undefined : (run?.succeeded_at ?? null), now),
          last_run:
            run === undefined ? noRun(latest === undefined ? 'runs_unavailable' : 'never_run') : lastRunOf(run, now)
        }
      }),
      health_states: healthStates,
      conventions,
      related: {
        one_source: pathTo.pattern('sources/source'),
        coverage: pathTo('coverage'),
        welcome: pathTo('sources/welcome')
      }
    })
  }
})
