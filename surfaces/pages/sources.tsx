import { Count, NullableText, Text, Texts, Type, type DataOf } from 'pantry/data'
import { Facts, Table, type VNode } from 'pantry/page'
import type { Signal } from '../cards/price-guides.ts'
import { formatCount, formatMinute, inWords, spoken } from '../common/words.ts'
import type { LastRun } from '../sources/meta.ts'
import type { Proof } from '../sources/source-proofs.ts'

/** The fields of a source that pages use. */
export const ShownSource = Type.Object({
  id: Text,
  name: Text,
  upstream: Text,
  upstream_url: NullableText,
  status: Text,
  status_reason: Text,
  open_conditions: Texts,
  exceptions: Type.Array(Type.Object({ field: Text, form: Text, reason: Text })),
  license: Text,
  repository_license: NullableText,
  license_statement: Text,
  redistribute: Type.Boolean(),
  games: Texts,
  languages: Texts,
  cadence: NullableText
})

export const ShownHealth = Type.Object({ state: Text, reason: Text })

/** The fields of `/api/v1/sources` that pages use. */
export const SourceList = Type.Object({
  counts: Type.Object({ registered_total: Count, wired: Count, planned: Count, blocked: Count }),
  sources: Type.Array(Type.Object({ ...ShownSource.properties, health: ShownHealth }))
})

/** The numbers of a source's last import, or why there are none. */
export const RunFacts = ({ run }: Readonly<{ run: DataOf<typeof LastRun> }>): VNode =>
  '_unavailable' in run ? (
    <p class="none">{inWords(run.reason)}</p>
  ) : (
    <Facts
      of={{
        Result: run.status,
        Finished: run.finished_at === null ? 'not yet' : formatMinute(run.finished_at),
        'Rows read': formatCount(run.rows_read),
        'Rows written': formatCount(run.rows_written),
        'Rows that no card was found for': formatCount(run.rows_quarantined)
      }}
    />
  )

const maxFilesShown = 20

/** What a second reader found last when it compared what is held with the files. `meaning`: of its verdict. */
export const ProofFacts = ({ proof, meaning }: Readonly<{ proof: Proof; meaning: string }>): VNode => {
  const { verdict, reason, proved_at: at, is_current: isCurrent, counts, file_count: files } = proof
  return (
    <>
      <h2>Proof</h2>
      <p>
        <strong>{verdict}</strong>: {reason ?? meaning}
      </p>
      {!isCurrent && <p class="note">Something else was imported since, so this says nothing of what is held now.</p>}
      <Facts
        of={{
          Read: formatMinute(at),
          ...(counts === null
            ? {}
            : {
                'Rows in the files': formatCount(counts.rows),
                'Rows that are held as they are there': formatCount(counts.equal),
                'Rows that differ': formatCount(counts.different),
                'Rows that are missing here': formatCount(counts.missing),
                'Rows that are in no file': formatCount(counts.more),
                'Rows that were left out': formatCount(counts.left_out),
                'Rows that repeat another': formatCount(counts.repeated)
              }),
          Files: formatCount(files),
          'SHA-256 of all files': proof.files_digest === null ? 'none' : <code>{proof.files_digest}</code>
        }}
      />
      {files > 0 && (
        <Table
          caption="Files, each with its SHA-256"
          rows={proof.files.slice(0, maxFilesShown)}
          columns={[
            { head: 'File', cell: ({ path }) => <code>{path}</code> },
            { head: 'SHA-256', cell: ({ sha256 }) => <code>{sha256}</code> }
          ]}
        />
      )}
    </>
  )
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** A note on what is not published here. `reason` replaces the note of `boundary`. */
export const Withheld = ({
  boundary,
  reason
}: Readonly<{ boundary: Readonly<Record<string, string>>; reason?: string | undefined }>): VNode => (
  <aside class="withheld" aria-label="What is withheld">
    <p>
      <strong>
        {`Withheld here: ${list.format(
          Object.keys(boundary)
            .filter(name => name !== 'note')
            .map(spoken)
        )}.`}
      </strong>
    </p>
    <p>
      {reason ??
        boundary['note'] ??
        'No source gave the right to publish them, so none is stored, and none is shown to anyone.'}{' '}
      <a href="/sources">What each source allows</a>
    </p>
  </aside>
)

type State = Readonly<{ id: string; name: string; state: string; license: string; reason: string }>

export const SourceStates = ({ caption, states }: Readonly<{ caption: string; states: readonly State[] }>): VNode => (
  <Table
    caption={caption}
    rows={states}
    none="No source declares the game."
    columns={[
      {
        head: 'Source',
        cell: ({ id, name, state }) =>
          state === 'blocked' || state === 'planned' ? name : <a href={`/sources/${encodeURIComponent(id)}`}>{name}</a>
      },
      { head: 'State', cell: ({ state }) => inWords(state) },
      { head: 'Rights', cell: ({ license }) => inWords(license) },
      { head: 'Why', cell: ({ reason }) => reason }
    ]}
  />
)

export const statesOf = (signals: readonly Signal[]): State[] =>
  signals.map(({ source_id: id, label: name, state, license, detail: reason }) => ({
    id,
    name,
    state,
    license,
    reason
  }))
