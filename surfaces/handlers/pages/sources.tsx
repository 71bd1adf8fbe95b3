import { nullable, Text } from 'pantry/data'
import { definePage, Facts, Table, Type } from 'pantry/page'
import { inWords, languageName, withCode } from '../../common/words.ts'
import { gameNamesOf, GameNames } from '../../pages/schemas.ts'
import { ProofFacts, RunFacts, ShownHealth, ShownSource, SourceList } from '../../pages/sources.tsx'
import { LastRun } from '../../sources/meta.ts'
import { Proof } from '../../sources/source-proofs.ts'

export default definePage({
  shows: { registry: SourceList },
  besides: { games: GameNames },
  view: ({
    shown: {
      registry: { counts, sources }
    },
    beside: { games }
  }) => ({
    title: 'Sources',
    main: (
      <>
        <p class="lead">
          Where the data comes from: what is read, what is planned, and what may not be read. Each source says what it
          allows; where it says nothing, that is no permission.
        </p>
        <p>
          <a href="/coverage">What was seen, day by day</a>, and{' '}
          <a href="/prices/coverage">what could say something of prices</a>.
        </p>
        <Facts
          of={{ Known: counts.registered_total, Read: counts.wired, Planned: counts.planned, Blocked: counts.blocked }}
        />
        <Table
          caption="Sources by name"
          rows={[...sources].sort((a, b) => a.name.localeCompare(b.name, 'en'))}
          columns={[
            { head: 'Source', cell: ({ id, name }) => <a href={`/sources/${encodeURIComponent(id)}`}>{name}</a> },
            { head: 'State', cell: ({ status }) => inWords(status) },
            { head: 'Health', cell: ({ health }) => inWords(health.state) },
            { head: 'License of its data', cell: ({ license }) => inWords(license) },
            { head: 'Games', cell: ({ games: of }) => gameNamesOf(games.data, of) || 'none' }
          ]}
        />
      </>
    )
  })
})

const Source = Type.Object({
  meta: ShownSource,
  health: ShownHealth,
  last_run: LastRun,
  proof: nullable(Proof),
  proof_verdicts: Type.Record(Text, Text),
  run_history_publication: Type.Object({ reason: Text }),
  quarantine_publication: Type.Object({ reason: Text })
})

export const source = definePage({
  shows: { source: Source },
  besides: { games: GameNames },
  view: ({
    shown: {
      source: {
        meta,
        health,
        last_run: run,
        proof,
        proof_verdicts: verdicts,
        run_history_publication: runs,
        quarantine_publication: quarantine
      }
    },
    beside: { games }
  }) => ({
    title: meta.name,
    crumbs: [{ label: 'Sources', path: '/sources' }],
    main: (
      <>
        <p class="lead">{meta.status_reason}</p>
        <Facts
          of={{
            State: withCode(meta.status),
            From:
              meta.upstream_url === null ? (
                meta.upstream
              ) : (
                <a href={meta.upstream_url} rel="noreferrer">
                  {meta.upstream}
                </a>
              ),
            Games: gameNamesOf(games.data, meta.games) || 'none',
            Languages: meta.languages.map(languageName).join(', ') || 'none',
            'How often it changes': meta.cadence
          }}
        />
        <h2>Rights</h2>
        <Facts
          of={{
            'License of its data': withCode(meta.license),
            'License of its repository': meta.repository_license && withCode(meta.repository_license),
            'What it says': meta.license_statement,
            'May be redistributed': meta.redistribute ? 'yes' : 'no',
            'What stays open':
              meta.open_conditions.length === 0 ? (
                'nothing'
              ) : (
                <ul>
                  {meta.open_conditions.map(one => (
                    <li>{one}</li>
                  ))}
                </ul>
              )
          }}
        />
        {meta.exceptions.length > 0 && (
          <>
            <h2>Exceptions</h2>
            <p>
              A row is left out where a value looks like a price or a link. These fields may hold such values, because
              they are none.
            </p>
            <Table
              caption="Exceptions, each with its reason"
              rows={meta.exceptions}
              columns={[
                { head: 'Field', cell: ({ field }) => <code>{field}</code> },
                { head: 'May look like', cell: ({ form }) => `a ${form}` },
                { head: 'Why it is none', cell: ({ reason }) => reason }
              ]}
            />
          </>
        )}
        <h2>Last import</h2>
        <p>
          {withCode(health.state)}: {health.reason}
        </p>
        <RunFacts run={run} />
        <p class="note">
          {runs.reason} {quarantine.reason}
        </p>
        {proof !== null && <ProofFacts proof={proof} meaning={verdicts[proof.verdict] ?? ''} />}
        <p>
          <a href="/coverage">What all sources showed, day by day</a>
        </p>
      </>
    )
  })
})
