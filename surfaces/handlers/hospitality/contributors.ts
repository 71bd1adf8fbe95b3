import Type from 'typebox'
import { defineDerived, reply } from 'pantry/handler'

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
const mostRecent = 5

/** What is read of the corpora in which work is signed. */
const Handoff = Type.Object({ title: Text, signed_by: Text, actor_kind: Text, session_ended_at: Text })
const Page = Type.Object({ title: Text, signed_by: Text, date: Text })
const Note = Type.Object({ title: Text, by: Text, posted_at: Text })

/** Where work is signed. */
const signed = ['handoffs', 'pillow-book', 'agents-notes'] as const
type Place = Readonly<{ corpus: typeof signed[number], url: string }>

type Sighting = Readonly<{ name: string, actorKind?: string, date: string, title: string }> & Place

/** A word for a registry: `the maintainers` -> `the-maintainers`. */
const tagOf = (name: string): string => name.toLowerCase().normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')

function registryEntry (tag: string, sightings: readonly Sighting[]) {
  const newest = [...sightings].sort((a, b) => a.date === b.date ? (a.title < b.title ? -1 : 1) : a.date < b.date ? 1 : -1)
  return {
    tag,
    signed_as: [...new Set(sightings.map(({ name }) => name))],
    actor_kinds: [...new Set(sightings.flatMap(({ actorKind }) => actorKind ?? []))].sort(),
    sighting_count: sightings.length,
    by_corpus: Object.fromEntries(signed.map(corpus => [corpus, sightings.filter(sighting => sighting.corpus === corpus).length])),
    first_seen: newest.at(-1)?.date ?? '',
    last_seen: newest[0]?.date ?? '',
    recent_entries: newest.slice(0, mostRecent).map(({ date, title, corpus, url }) => ({ date, entry_title: title, corpus, url }))
  }
}

/** Who signed what, by the name they signed with. It joins the corpora in which work is signed, and a declaration reads one. */
export default defineDerived({
  corpora: { handoffs: Handoff, 'pillow-book': Page, 'agents-notes': Note },
  reply: Type.Object({
    '@kind': Type.Literal('contributors-registry'),
    extraction_heuristic: Type.Object({ signatures: Text, tags: Text, note: Text }),
    contributor_count: Count,
    contributors: Type.Array(Type.Object({
      tag: Text,
      signed_as: Type.Array(Text, { description: 'The name as it stands in the files.' }),
      actor_kinds: Type.Array(Text, { description: 'What the signer says of their kind, where anything is said.' }),
      sighting_count: Type.Integer({ minimum: 1 }),
      by_corpus: Type.Record(Text, Count),
      first_seen: Type.String({ format: 'date' }),
      last_seen: Type.String({ format: 'date' }),
      recent_entries: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), entry_title: Text, corpus: Text, url: Text }), { maxItems: mostRecent })
    })),
    related: Type.Object({ handoffs: Text, pillow_book: Text, notes: Text, kingdoms: Text })
  }),
  derive ({ corpora, pathTo }) {
    const handoffs: Place = { corpus: 'handoffs', url: pathTo('hospitality/handoffs') }
    const pages: Place = { corpus: 'pillow-book', url: pathTo('hospitality/pillow-book') }
    const notes: Place = { corpus: 'agents-notes', url: pathTo('agents/notes') }
    const sightings: readonly Sighting[] = [
      ...corpora.handoffs.entries.map(({ title, signed_by: name, actor_kind: actorKind, session_ended_at: date }) => ({ name, actorKind, date, title, ...handoffs })),
      ...corpora['pillow-book'].entries.map(({ title, signed_by: name, date }) => ({ name, date, title, ...pages })),
      ...corpora['agents-notes'].entries.map(({ title, by: name, posted_at: date }) => ({ name, date, title, ...notes }))
    ]
    const tags = [...new Set(sightings.map(({ name }) => tagOf(name)))].sort()
    return reply({
      '@kind': 'contributors-registry',
      extraction_heuristic: {
        signatures: 'Handoffs and pages of the pillow book by `signed_by`, notes by `by`.',
        tags: 'The name in lower case, with a hyphen for whatever is neither letter nor digit.',
        note: 'A signature in a file is what somebody wrote there, and no proof. People are listed under what they signed with and nothing else.'
      },
      contributor_count: tags.length,
      contributors: tags.map(tag => registryEntry(tag, sightings.filter(({ name }) => tagOf(name) === tag))),
      related: { handoffs: handoffs.url, pillow_book: pages.url, notes: notes.url, kingdoms: pathTo('hospitality/kingdoms') }
    })
  }
})
