import Type from 'typebox'
import type { DataOf } from 'pantry/data'

const Text = Type.String()
export const mostRecent = 5

/** What is read of the corpora in which work is signed. */
export const Handoff = Type.Object({ title: Text, signed_by: Text, actor_kind: Text, session_ended_at: Text })
export const Page = Type.Object({ title: Text, signed_by: Text, date: Text })
export const Note = Type.Object({ title: Text, by: Text, posted_at: Text })

/** Where work is signed. */
const signed = ['handoffs', 'pillow-book', 'agents-notes'] as const
type Place = typeof signed[number]

type Sighting = Readonly<{ name: string, actorKind?: string, date: string, title: string, corpus: Place }>

/** A word for a registry: `the maintainers` -> `the-maintainers`. */
const tagOf = (name: string): string => name.toLowerCase().normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')

function registryEntry (tag: string, sightings: readonly Sighting[], urls: Readonly<Record<Place, string>>) {
  const newest = [...sightings].sort((a, b) => a.date === b.date ? (a.title < b.title ? -1 : 1) : a.date < b.date ? 1 : -1)
  return {
    tag,
    signed_as: [...new Set(sightings.map(({ name }) => name))],
    actor_kinds: [...new Set(sightings.flatMap(({ actorKind }) => actorKind ?? []))].sort(),
    sighting_count: sightings.length,
    by_corpus: Object.fromEntries(signed.map(corpus => [corpus, sightings.filter(sighting => sighting.corpus === corpus).length])),
    first_seen: newest.at(-1)?.date ?? '',
    last_seen: newest[0]?.date ?? '',
    recent_entries: newest.slice(0, mostRecent).map(({ date, title, corpus }) => ({ date, entry_title: title, corpus, url: urls[corpus] }))
  }
}

type Signed = Readonly<{ handoffs: readonly DataOf<typeof Handoff>[], pages: readonly DataOf<typeof Page>[], notes: readonly DataOf<typeof Note>[] }>

/** Everyone who signed, by the tag of the name; `urls` is where each corpus is served. */
export function contributorsOf ({ handoffs, pages, notes }: Signed, urls: Readonly<Record<Place, string>>) {
  const sightings: readonly Sighting[] = [
    ...handoffs.map(({ title, signed_by: name, actor_kind: actorKind, session_ended_at: date }) => ({ name, actorKind, date, title, corpus: 'handoffs' as const })),
    ...pages.map(({ title, signed_by: name, date }) => ({ name, date, title, corpus: 'pillow-book' as const })),
    ...notes.map(({ title, by: name, posted_at: date }) => ({ name, date, title, corpus: 'agents-notes' as const }))
  ]
  const tags = [...new Set(sightings.map(({ name }) => tagOf(name)))].sort()
  return tags.map(tag => registryEntry(tag, sightings.filter(({ name }) => tagOf(name) === tag), urls))
}
