import { nullable, NullableText, Text } from 'pantry/data'
import { definePage, Facts, Type } from 'pantry/page'
import { ShownHealth, ShownSource } from '../../../pages/source-list.ts'
import { counted, languageName, moment } from '../../../pages/words.ts'

const One = Type.Object({
  id: Text,
  meta: ShownSource,
  health: ShownHealth,
  health_states: Type.Record(Text, Text),
  last_run: Type.Object({ status: Text, finished_at: Type.Optional(NullableText), rows_read: Type.Optional(nullable(Type.Integer())), rows_written: Type.Optional(nullable(Type.Integer())), rows_quarantined: Type.Optional(nullable(Type.Integer())) }),
  run_history_publication: Type.Object({ reason: Text }),
  quarantine_publication: Type.Object({ reason: Text })
})

const count = (value: number | null | undefined): string | undefined => value === null || value === undefined ? undefined : counted(value)

export default definePage({
  shows: { source: One },
  view: ({ shown: { source: { meta, health, last_run: run, run_history_publication: runs, quarantine_publication: quarantine } } }) => ({
    title: meta.name,
    main: (
      <>
        <nav aria-label="Where this is"><a href="/sources">Sources</a></nav>
        <p class="lead">{meta.status_reason}</p>
        <Facts of={{
          State: meta.status,
          From: meta.upstream_url === null ? meta.upstream : <a href={meta.upstream_url} rel="noreferrer">{meta.upstream}</a>,
          Games: meta.games.join(', ') || 'none',
          Languages: meta.languages.map(languageName).join(', ') || 'none',
          'How often it changes': meta.cadence
        }} />
        <h2>Rights</h2>
        <Facts of={{
          'License of its data': meta.license,
          'License of its repository': meta.repository_license,
          'What it says': meta.license_statement,
          'May be redistributed': meta.redistribute ? 'yes' : 'no',
          'What stays open': meta.open_conditions.length === 0 ? 'nothing' : <ul>{meta.open_conditions.map(one => <li>{one}</li>)}</ul>
        }} />
        <h2>Last import</h2>
        <Facts of={{
          Health: `${health.state}: ${health.reason}`, Result: run.status, Finished: run.finished_at == null ? undefined : moment(run.finished_at),
          'Rows read': count(run.rows_read), 'Rows written': count(run.rows_written), 'Rows that no card was found for': count(run.rows_quarantined)
        }} />
        <p class="note">{runs.reason} {quarantine.reason}</p>
        <p><a href="/coverage">What all sources showed, day by day</a></p>
      </>
    )
  })
})
