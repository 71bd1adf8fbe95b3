import { Type, Count, defineDerived, reply, Text } from 'pantry/handler'
import { contributorsOf, Handoff, mostRecent, Note, Page } from '../../playful/contributors.ts'

/**
 * Returns who signed which work, by the name in the signature. Needs code because it joins several corpora, and a
 * manifest can only show one.
 */
export default defineDerived({
  corpora: { handoffs: Handoff, 'pillow-book': Page, 'agents-notes': Note },
  reply: Type.Object({
    '@kind': Type.Literal('contributors-registry'),
    extraction_heuristic: Type.Object({ signatures: Text, tags: Text, note: Text }),
    contributor_count: Count,
    contributors: Type.Array(
      Type.Object({
        tag: Text,
        signed_as: Type.Array(Text, { description: 'The name as it stands in the files.' }),
        actor_kinds: Type.Array(Text, { description: 'What the signer says of their kind, where anything is said.' }),
        sighting_count: Type.Integer({ minimum: 1 }),
        by_corpus: Type.Record(Text, Count),
        first_seen: Type.String({ format: 'date' }),
        last_seen: Type.String({ format: 'date' }),
        recent_entries: Type.Array(
          Type.Object({ date: Type.String({ format: 'date' }), entry_title: Text, corpus: Text, url: Text }),
          { maxItems: mostRecent }
        )
      })
    ),
    related: Type.Object({ handoffs: Text, pillow_book: Text, notes: Text, kingdoms: Text })
  }),
  derive({ corpora, pathTo }) {
    const urls = {
      handoffs: pathTo('hospitality/handoffs'),
      'pillow-book': pathTo('hospitality/pillow-book'),
      'agents-notes': pathTo('agents/notes')
    }
    const contributors = contributorsOf(
      {
        handoffs: corpora.handoffs.entries,
        pages: corpora['pillow-book'].entries,
        notes: corpora['agents-notes'].entries
      },
      {
        handoffs: slug => pathTo('hospitality/handoff', { slug }),
        'pillow-book': id => `${urls['pillow-book']}#${id}`,
        'agents-notes': id => pathTo('agents/note', { id })
      }
    )
    return reply({
      '@kind': 'contributors-registry',
      extraction_heuristic: {
        signatures: 'Handoffs and pages of the pillow book by `signed_by`, notes by `by`.',
        tags: 'The name in lower case, with a hyphen for whatever is neither letter nor digit.',
        note: 'A signature in a file is what somebody wrote there, and no proof. People are listed under what they signed with and nothing else.'
      },
      contributor_count: contributors.length,
      contributors,
      related: {
        handoffs: urls.handoffs,
        pillow_book: urls['pillow-book'],
        notes: urls['agents-notes'],
        kingdoms: pathTo('hospitality/kingdoms')
      }
    })
  }
})
