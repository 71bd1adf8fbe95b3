import { counted, type DataOf } from 'pantry/data'
import { Facts, Table, type VNode } from 'pantry/page'
import { languageName } from '../../common/words.ts'
import { countryName, type NamedGame } from '../../common/chosen-names.ts'
import { organisationKinds, type Bridge, type OrganisationEntry, type OwnOrganisation } from '../collector-schemas.ts'
import type { Directory } from '../organisations.ts'
import { CountryField, Field, LanguageFields, SessionForm } from './forms.tsx'

type Entry = DataOf<typeof Directory>['items'][number]
type Query = Readonly<Partial<Record<'q' | 'kind' | 'game' | 'region' | 'language', string>>>

/** A search field, and a link for each kind of collective. Using one of them ends the filter by the other. */
export const DirectoryForm = ({ query: { q, kind } }: Readonly<{ query: Query }>): VNode => (
  <>
    <form method="get" action="/organisations">
      <label for="q">Part of the name or the description</label>
      <input type="search" id="q" name="q" maxLength={80} required value={q} />
      <button type="submit">Search</button>
    </form>
    <ul class="views" aria-label="What it is">
      <li>{kind === undefined ? <strong>all</strong> : <a href="/organisations">all</a>}</li>
      {organisationKinds.map(one => (
        <li>
          {one === kind ? <strong>{kindName(one)}</strong> : <a href={`/organisations?kind=${one}`}>{kindName(one)}</a>}
        </li>
      ))}
    </ul>
  </>
)

const outward = (url: string | null): VNode | false =>
  url !== null && (
    <a href={url} rel="nofollow noopener noreferrer">
      {url}
    </a>
  )

type EntryText = DataOf<typeof OrganisationEntry>

/** Returns the names of games by their tokens. */
export type EntryGames = (tokens: readonly string[]) => string

/** What an entry says but its name and slug. */
export const EntryFacts = ({
  of: {
    description,
    kind,
    region,
    languages,
    games,
    website_url: website,
    public_contact_url: contact,
    accessibility_notes: notes
  },
  games: namesOf,
  more = {}
}: Readonly<{
  of: Omit<EntryText, 'kind'> & Readonly<{ kind: string }>
  games: EntryGames
  more?: Readonly<Record<string, string>>
}>): VNode => (
  <>
    <p class="participant">{description}</p>
    <Facts
      of={{
        Kind: kindName(kind),
        Region: region !== null && countryName(region),
        Languages: languages.length > 0 && languages.map(languageName).join(', '),
        Games: games.length > 0 && namesOf(games),
        Website: outward(website),
        Contact: outward(contact),
        Accessibility: notes ?? false,
        ...more
      }}
    />
  </>
)

const Sheet = ({ of: entry, games, report }: Readonly<{ of: Entry; games: EntryGames; report: VNode }>): VNode => (
  <section>
    <h2>{entry.display_name}</h2>
    <EntryFacts
      of={entry}
      games={games}
      more={{ Listed: entry.listed_at.slice(0, 10), Checked: 'by nobody: the collective says so of itself' }}
    />
    {report}
  </section>
)

type Props = Readonly<{ directory: DataOf<typeof Directory>; games: EntryGames; report: (entry: Entry) => VNode }>

export const Entries = ({
  directory: {
    items,
    pagination: { total, offset }
  },
  games,
  report
}: Props): VNode => (
  <>
    <p role="status">
      {total === 0
        ? 'No collective is listed that fits.'
        : items.length === total
          ? `${total} listed.`
          : `${offset + 1} to ${offset + items.length} of ${total}.`}
    </p>
    {items.map(entry => (
      <Sheet of={entry} games={games} report={report(entry)} />
    ))}
  </>
)

export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

type OwnEntry = DataOf<typeof OwnOrganisation> | null

const kindName = (kind: string): string => kind.replaceAll('-', ' ')

export const OrganisationForm = ({
  token,
  entry,
  games
}: Readonly<{ token: string; entry: OwnEntry; games: readonly NamedGame[] }>): VNode => (
  <SessionForm action="/account/organisation" token={token} button="Save the entry">
    <Field name="display_name" label="What it calls itself" maxLength={120} required value={entry?.display_name} />
    <Field
      name="slug"
      label="Short name: letters a to z, digits and hyphens"
      maxLength={80}
      required
      value={entry?.slug}
    />
    <label for="kind">What it is</label>
    <select id="kind" name="kind">
      {organisationKinds.map(kind => (
        <option value={kind} selected={entry?.kind === kind}>
          {kindName(kind)}
        </option>
      ))}
    </select>
    <label for="description">What it does</label>
    <textarea id="description" name="description" rows={4} required maxLength={500}>
      {entry?.description}
    </textarea>
    <CountryField of={entry?.region ?? null} none="Not given" />
    <LanguageFields legend="Languages" of={entry?.languages ?? []} />
    <fieldset>
      <legend>Games</legend>
      {games.map(({ token: game, name }) => (
        <label>
          <input type="checkbox" name="games" value={game} checked={entry?.games.includes(game) === true} /> {name}
        </label>
      ))}
    </fieldset>
    <Field name="website_url" label="Website (https)" maxLength={300} value={entry?.website_url ?? undefined} />
    <Field
      name="public_contact_url"
      label="Where everyone can reach it (https)"
      maxLength={300}
      value={entry?.public_contact_url ?? undefined}
    />
    <Field
      name="accessibility_notes"
      label="What visitors with a disability should know"
      maxLength={500}
      value={entry?.accessibility_notes ?? undefined}
    />
  </SessionForm>
)

type Metrics = DataOf<typeof Bridge>['metrics']

const names: Readonly<Record<keyof Metrics, string>> = {
  portfolio_jaccard: 'How alike their collections are',
  portfolio_shared_count: 'Cards that both have',
  wishlist_jaccard: 'How alike their wishes are',
  a_wants_from_b: 'What B could give A',
  b_wants_from_a: 'What A could give B',
  trade_potential: 'What could change hands in all',
  language_jaccard: 'How alike their languages are',
  shared_languages: 'Languages that both use',
  region_match: 'Country or territory',
  cadence_ratio: 'How alike their times to answer are',
  bridge_score: 'How alike they are on the whole'
}

/** Returns the value of a metric in words, or the reason why there is none. */
function stated({ value, unit, reason }: Metrics[keyof Metrics]): string {
  if (value === null) return reason === 'nothing_to_compare' ? 'nothing to compare' : 'A or B has not published it'
  if (typeof value === 'object') return value.map(languageName).join(', ') || 'none'
  if (typeof value === 'string') return value
  return unit === 'share' ? `${Math.round(value * 100)} %` : counted(value, 'card')
}

export const BridgeView = ({
  bridge: { a, b, metrics, note, covered_percent: covered }
}: Readonly<{ bridge: DataOf<typeof Bridge> }>): VNode => (
  <>
    <h2>
      A is {a}, and B is {b}
    </h2>
    <p>
      {names.bridge_score}: <strong>{stated(metrics.bridge_score)}</strong>, from {covered} % of what it weighs
    </p>
    <Table
      caption="What A and B have in common, and what each measure says"
      rows={Object.entries(names)}
      columns={[
        { head: 'Measure', cell: ([, name]) => name },
        { head: 'Value', cell: ([metric]) => stated(metrics[metric as keyof Metrics]) },
        { head: 'What it says', cell: ([metric]) => metrics[metric as keyof Metrics].formula }
      ]}
    />
    <p class="note">{note}</p>
  </>
)
