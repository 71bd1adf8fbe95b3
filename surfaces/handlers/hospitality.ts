import { Count, Day, defineDerived, nullable, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { Bridge, Language, organisationKinds, Party, Region } from '../people/collector-schemas.ts'
import { Directory, listed } from '../people/organisations.ts'
import { bridgeOf } from '../people/parties.ts'
import { contributorsOf, Handoff, maxRecent, Note, Page } from '../playful/contributors.ts'
import {
  Concept,
  countByStatus,
  handedOver,
  Handoff as WorkHandoff,
  kingdomsOf,
  priorities,
  statuses
} from '../playful/kingdoms.ts'
import { connectionsOf, edgeKinds, nodeKinds, readProject } from '../playful/project.ts'

export const connections = defineDerived({
  reply: Type.Object({
    '@kind': Type.Literal('connections-graph'),
    extraction_heuristic: Type.Object(
      { documents: Text, references: Text, sister: Text, recurses_to: Text, note: Text },
      { description: 'How nodes and edges were found.' }
    ),
    node_count: Count,
    edge_count: Count,
    node_kinds: Type.Object({ document: Count, corpus: Count, surface: Count }),
    edge_kinds: Type.Object({ references: Count, sister: Count, recurses_to: Count }),
    nodes: Type.Array(
      Type.Object({
        slug: Text,
        kind: Type.Enum(nodeKinds),
        title: Text,
        path_in_repo: nullable(Text, 'File or folder of the project.'),
        path: nullable(Text, 'Path of a surface.'),
        byte_count: Count,
        line_count: Count,
        entry_count: nullable(Count, 'Entries of a corpus.'),
        pull_excerpt: Text
      })
    ),
    edges: Type.Array(
      Type.Object({ from: Text, to: Text, kind: Type.Enum(edgeKinds), mentions: Type.Integer({ minimum: 1 }) })
    ),
    related: Type.Object({ graph: Text, manifest: Text, kingdoms: Text, contributors: Text })
  }),
  derive: ({ registry, pathTo }) =>
    reply({
      '@kind': 'connections-graph',
      ...connectionsOf(readProject(), registry, pathTo('graph')),
      related: {
        graph: pathTo('graph'),
        manifest: pathTo('manifest'),
        kingdoms: pathTo('hospitality/kingdoms'),
        contributors: pathTo('hospitality/contributors')
      }
    })
})

export const contributors = defineDerived({
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
        first_seen: Day,
        last_seen: Day,
        recent_entries: Type.Array(Type.Object({ date: Day, entry_title: Text, corpus: Text, url: Text }), {
          maxItems: maxRecent
        })
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

const Counts = Type.Record(Text, Count)

export const kingdoms = defineDerived({
  corpora: {
    concepts: Concept,
    changelog: Type.Object({ id: Text }),
    gaps: Type.Object({ status: Text }),
    handoffs: WorkHandoff
  },
  reply: Type.Object({
    '@kind': Type.Literal('kingdoms-collection'),
    total: Count,
    by_status: Type.Object(Object.fromEntries(statuses.map(status => [status, Count]))),
    kingdoms: Type.Array(
      Type.Object({
        kingdom_id: Text,
        mission_title: Text,
        mission_status: Type.Enum(statuses),
        mission_summary: Text,
        priority: Type.Enum(priorities),
        since: Day,
        succeeds: Type.Array(Text, { description: 'Work that it builds on.' }),
        succeeded_by: Type.Array(Text, { description: 'Work that builds on it.' }),
        audit_command: nullable(Text, 'Command that checks the result; null before there is one.'),
        is_sister_paired: Type.Boolean(),
        produces_connection_doc: Type.Boolean(),
        connection_doc_citations: Type.Array(Text, { description: 'Documents that came of it.' }),
        graph_node: nullable(Text, 'Only of work that the concepts declare.'),
        recorded_in: Type.Enum(['concepts', 'handoffs']),
        url: Text
      })
    ),
    around_it: Type.Object(
      { changelog_entries: Count, gaps_by_status: Counts, handoffs_by_status: Counts },
      {
        description:
          'How much the ledgers beside this one hold: changes made, lacks that are known, work that was left for somebody.'
      }
    ),
    related: Type.Object({ kind_definition: Text, changelog: Text, gaps: Text, handoffs: Text, contributors: Text })
  }),
  derive({ corpora, pathTo }) {
    const rows = [
      ...kingdomsOf(corpora.concepts.entries, pathTo('graph')),
      ...handedOver(corpora.handoffs.entries, slug => pathTo('hospitality/handoff', { slug }))
    ]
    return reply({
      '@kind': 'kingdoms-collection',
      total: rows.length,
      by_status: Object.fromEntries(
        statuses.map(status => [status, rows.filter(row => row.mission_status === status).length])
      ),
      kingdoms: rows,
      around_it: {
        changelog_entries: corpora.changelog.entries.length,
        gaps_by_status: countByStatus(corpora.gaps.entries),
        handoffs_by_status: countByStatus(corpora.handoffs.entries)
      },
      related: {
        kind_definition: pathTo('kind', { kind: 'kingdom' }),
        changelog: pathTo('changelog'),
        gaps: pathTo('hospitality/gaps'),
        handoffs: pathTo('hospitality/handoffs'),
        contributors: pathTo('hospitality/contributors')
      }
    })
  }
})

export const bridge = defineHandler({
  query: Type.Object({ a: Party, b: Party }),
  reply: Bridge,
  async handle({ query: { a, b } }, { parties }) {
    const [one, other] = await Promise.all([parties.published(a), parties.published(b)])
    const { metrics, coveredPercent } = bridgeOf(one, other)
    return reply({
      a,
      b,
      metrics,
      bridge_score: metrics.bridge_score.value,
      covered_percent: coveredPercent,
      note: 'A measure has no value where A or B has not published what it compares. A party that is not there looks the same.'
    })
  }
})

const maxOffset = 10_000

export const organisations = defineHandler({
  query: Type.Object({
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: 'Part of the name or the description.' })),
    kind: Type.Optional(Type.Enum(organisationKinds, { description: 'What it is.' })),
    game: Type.Optional(Type.String({ maxLength: 40, description: 'Token or slug of a game that it plays.' })),
    region: Type.Optional(Region),
    language: Type.Optional(Language),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Most entries to show.' })),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxOffset, default: 0, description: 'How many entries to leave out first.' })
    )
  }),
  entries: { in: 'items', key: 'slug' },
  reply: Directory,
  async handle({ query: { game, limit = 30, offset = 0, ...filters } }, { organisations, games }) {
    const wanted = { ...filters, ...(game === undefined ? {} : { game: games.named(game).token }) }
    const found = await organisations.listed({ ...wanted, limit, offset })
    const behind = offset + limit
    return reply(
      listed(found, wanted, limit, offset),
      behind < found.total && behind <= maxOffset ? { next: { offset: behind } } : {}
    )
  }
})
