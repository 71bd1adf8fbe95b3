import t from 'tap'
import type { Corpus } from '../../../core/corpus/corpus.ts'
import { joinFiles, readProject } from '../../../surfaces/playful/project.ts'

const corpus = (name: string, entries: readonly object[], schema: object = {}): Corpus =>
  ({ name, title: `The ${name}`, entries, schema: { description: `Of ${name}.`, ...schema } }) as unknown as Corpus
const surfaces = [
  { id: 'door', path: '/api/v1/door', description: 'A door.' },
  { id: 'room', path: '/api/v1/room/{id}', description: 'A room.' }
]

t.test('a text is tied to the files, corpora and surfaces that it names', async t => {
  const texts = [
    {
      path: 'A.md',
      text: '# The first\n\nSee [the second](core/B.md), `corpora/keys` and /api/v1/door, and /api/v1/door again.\n'
    },
    {
      path: 'core/B.md',
      text: '# The second\n\nGo back to A.md, or to /api/v1/room/7. core/B.md is this file. /api/v1/cellar is no surface.\n'
    }
  ]
  const { nodes, edges } = joinFiles(
    texts,
    [
      corpus('keys', [{ opens: '/api/v1/room/attic' }], { properties: { of: { 'x-corpus': 'locks' } } }),
      corpus('locks', [])
    ],
    surfaces
  )
  t.same(
    nodes.map(({ slug }) => slug),
    ['A.md', 'core/B.md', 'corpora/keys', 'corpora/locks', 'surface:door', 'surface:room']
  )
  t.match(nodes[0], {
    title: 'The first',
    line_count: 3,
    byte_count: Buffer.byteLength(texts[0]?.text ?? ''),
    pull_excerpt: /^See /
  })
  t.same(edges, [
    { from: 'A.md', to: 'core/B.md', kind: 'sister', mentions: 2 },
    { from: 'A.md', to: 'corpora/keys', kind: 'references', mentions: 1 },
    { from: 'A.md', to: 'surface:door', kind: 'references', mentions: 2 },
    { from: 'core/B.md', to: 'core/B.md', kind: 'recurses_to', mentions: 1 },
    { from: 'core/B.md', to: 'surface:room', kind: 'references', mentions: 1 },
    { from: 'corpora/keys', to: 'corpora/locks', kind: 'references', mentions: 1 },
    { from: 'corpora/keys', to: 'surface:room', kind: 'references', mentions: 1 }
  ])
})

t.test('the texts of the project are found, and a folder without any has none', async t => {
  const paths = readProject().map(({ path }) => path)
  for (const path of ['README.md', 'core/README.md', '.github/CONTRIBUTING.md', 'SECURITY.md'])
    t.ok(paths.includes(path), path)
  t.same(paths, [...paths].sort())
  t.same(readProject(t.testdir({})), [])
})
