import type { DataOf } from 'pantry/data'
import { Facts, type VNode } from 'pantry/page'
import type { Directory } from '../directory.ts'
import { organisationKinds, type OrganisationEntry } from '../schemas.ts'

type Entry = DataOf<typeof Directory>['items'][number]
type Query = Readonly<Partial<Record<'q' | 'kind' | 'game' | 'region' | 'language', string>>>

/** The form that filters the directory. An empty field does not filter. */
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
          {one === kind ? (
            <strong>{one.replaceAll('-', ' ')}</strong>
          ) : (
            <a href={`/organisations?kind=${one}`}>{one.replaceAll('-', ' ')}</a>
          )}
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

type Said = DataOf<typeof OrganisationEntry>

/** The facts of an entry except its name; `more` adds others. */
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
  more = {}
}: Readonly<{
  of: Omit<Said, 'kind'> & Readonly<{ kind: string }>
  more?: Readonly<Record<string, string>>
}>): VNode => (
  <>
    <p class="participant">{description}</p>
    <Facts
      of={{
        Kind: kind.replaceAll('-', ' '),
        Region: region ?? false,
        Languages: languages.length > 0 && languages.join(', '),
        Games: games.length > 0 && games.join(', '),
        Website: outward(website),
        Contact: outward(contact),
        Accessibility: notes ?? false,
        ...more
      }}
    />
  </>
)

const Sheet = ({ of: entry, report }: Readonly<{ of: Entry; report: VNode }>): VNode => (
  <section>
    <h2>{entry.display_name}</h2>
    <EntryFacts
      of={entry}
      more={{ Listed: entry.listed_at.slice(0, 10), Checked: 'by nobody: the collective says so of itself' }}
    />
    {report}
  </section>
)

type Props = Readonly<{ directory: DataOf<typeof Directory>; report: (entry: Entry) => VNode }>

/** The entries, each with a form to report it. */
export const Entries = ({
  directory: {
    items,
    pagination: { total, offset }
  },
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
      <Sheet of={entry} report={report(entry)} />
    ))}
  </>
)
