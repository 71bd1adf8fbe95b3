import { Type, type DataOf } from 'pantry/data'

const Text = Type.String()
export const maxRecent = 5

/** The members that are used here of entries of `handoffs`; `Page` and `Note` are those of two other corpora. */
export const Handoff = Type.Object({
  slug: Text,
  title: Text,
  signed_by: Text,
  actor_kind: Text,
  session_ended_at: Text
})
export const Page = Type.Object({ id: Text, title: Text, signed_by: Text, date: Text })
export const Note = Type.Object({ id: Text, title: Text, by: Text, posted_at: Text })

const signed = ['handoffs', 'pillow-book', 'agents-notes'] as const
type SignedCorpus = (typeof signed)[number]

/** Functions that return the URL of an entry by its key, for each corpus. */
type UrlOf = Readonly<Record<SignedCorpus, (key: string) => string>>

type Sighting = Readonly<{
  name: string
  actorKind?: string
  date: string
  title: string
  corpus: SignedCorpus
  key: string
}>

/** Returns the tag of a name: `the maintainers` becomes `the-maintainers`. */
const tagOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

function registryEntry(tag: string, sightings: readonly Sighting[], urlOf: UrlOf) {
  const newest = [...sightings].sort((a, b) =>
    a.date === b.date ? (a.title < b.title ? -1 : 1) : a.date < b.date ? 1 : -1
  )
  return {
    tag,
    signed_as: [...new Set(sightings.map(({ name }) => name))],
    actor_kinds: [...new Set(sightings.flatMap(({ actorKind }) => actorKind ?? []))].sort(),
    sighting_count: sightings.length,
    by_corpus: Object.fromEntries(
      signed.map(corpus => [corpus, sightings.filter(sighting => sighting.corpus === corpus).length])
    ),
    first_seen: newest.at(-1)?.date ?? '',
    last_seen: newest[0]?.date ?? '',
    recent_entries: newest
      .slice(0, maxRecent)
      .map(({ date, title, corpus, key }) => ({ date, entry_title: title, corpus, url: urlOf[corpus](key) }))
  }
}

type Signed = Readonly<{
  handoffs: readonly DataOf<typeof Handoff>[]
  pages: readonly DataOf<typeof Page>[]
  notes: readonly DataOf<typeof Note>[]
}>

/** Returns everyone who signed an entry, by tag. */
export function contributorsOf({ handoffs, pages, notes }: Signed, urlOf: UrlOf) {
  const sightings = [
    ...handoffs.map((entry): Sighting => ({
      key: entry.slug,
      name: entry.signed_by,
      actorKind: entry.actor_kind,
      date: entry.session_ended_at,
      title: entry.title,
      corpus: 'handoffs'
    })),
    ...pages.map(({ id: key, title, signed_by: name, date }): Sighting => ({
      key,
      name,
      date,
      title,
      corpus: 'pillow-book'
    })),
    ...notes.map(({ id: key, title, by: name, posted_at: date }): Sighting => ({
      key,
      name,
      date,
      title,
      corpus: 'agents-notes'
    }))
  ]
  const tags = [...new Set(sightings.map(({ name }) => tagOf(name)))].sort()
  return tags.map(tag =>
    registryEntry(
      tag,
      sightings.filter(({ name }) => tagOf(name) === tag),
      urlOf
    )
  )
}
