import Type from 'typebox'
import { reply, type Entry, type JsonObject } from 'pantry/handler'
import { defineHandler } from '../../define.ts'

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
const mostRecent = 5

/** Where work is signed: the field with the name, the field with the day, and where it can be read. */
const signed = [
  { corpus: 'handoffs', by: 'signed_by', date: 'session_ended_at', url: '/api/v1/handoffs' },
  { corpus: 'pillow-book', by: 'signed_by', date: 'date', url: '/api/v1/pillow-book.json' },
  { corpus: 'agents-notes', by: 'by', date: 'posted_at', url: '/api/v1/agents/notes' }
] as const

type Sighting = Readonly<{ tag: string, actorKind: string | undefined, date: string, title: string, corpus: string, url: string }>

const textOf = (entry: Entry, name: string): string => typeof entry[name] === 'string' ? entry[name] : ''

/** A word for a registry: `the maintainers` -> `the-maintainers`. */
const tagOf = (name: string): string => name.toLowerCase().normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')

function registryEntry (tag: string, sightings: readonly Sighting[], names: readonly string[]): JsonObject {
  const newest = [...sightings].sort((a, b) => a.date === b.date ? (a.title < b.title ? -1 : 1) : a.date < b.date ? 1 : -1)
  return {
    tag,
    signed_as: names,
    actor_kinds: [...new Set(sightings.flatMap(({ actorKind }) => actorKind ?? []))].sort(),
    sighting_count: sightings.length,
    by_corpus: Object.fromEntries(signed.map(({ corpus }) => [corpus, sightings.filter(sighting => sighting.corpus === corpus).length])),
    first_seen: newest.at(-1)?.date ?? '',
    last_seen: newest[0]?.date ?? '',
    recent_entries: newest.slice(0, mostRecent).map(({ date, title, corpus, url }) => ({ date, entry_title: title, corpus, url }))
  }
}

/** Who signed what, by the name they signed with. It joins the corpora in which work is signed, and a declaration reads one. */
export default defineHandler({
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
  handle (_request, { corpora }) {
    const sightings = signed.flatMap(({ corpus, by, date, url }) => (corpora.get(corpus)?.entries ?? []).map((entry): Sighting & { name: string } => ({
      tag: tagOf(textOf(entry, by)),
      name: textOf(entry, by),
      actorKind: typeof entry['actor_kind'] === 'string' ? entry['actor_kind'] : undefined,
      date: textOf(entry, date),
      title: textOf(entry, 'title'),
      corpus,
      url
    })))
    const tags = [...new Set(sightings.map(({ tag }) => tag))].sort()
    return reply({
      '@kind': 'contributors-registry',
      extraction_heuristic: {
        signatures: 'Handoffs and pages of the pillow book by `signed_by`, notes by `by`.',
        tags: 'The name in lower case, with a hyphen for whatever is neither letter nor digit.',
        note: 'A signature in a file is what somebody wrote there, and no proof. People are listed under what they signed with and nothing else.'
      },
      contributor_count: tags.length,
      contributors: tags.map(tag => {
        const own = sightings.filter(sighting => sighting.tag === tag)
        return registryEntry(tag, own, [...new Set(own.map(({ name }) => name))])
      }),
      related: { handoffs: '/api/v1/handoffs', pillow_book: '/api/v1/pillow-book.json', notes: '/api/v1/agents/notes', kingdoms: '/api/v1/kingdoms.json' }
    })
  }
})
