import t from 'tap'
import { documentOf, registry } from './content.ts'

type Directory = {
  resource_count: number
  reading_order: string[]
  layers: Record<string, string>
  resources: { id: string; path: string; layer: string; composes_with: string[]; serves_archetypes: string[] }[]
}

const directory = documentOf('play-index') as Directory
const archetypes = documentOf('play-archetypes') as {
  archetype_count: number
  archetypes: { id: string }[]
  financial_boundary: { applies_to: string[] }
}
const grammar = documentOf('play-effect-grammar') as Record<string, unknown>
const contract = documentOf('play-game-state-schema') as Record<string, unknown>

t.test('the directory lists every play surface, and no other path', t => {
  const served = registry.surfaces.filter(({ route, tags }) => tags.includes('play') && route.path.startsWith('/api/'))
  t.strictSame(directory.resources.map(({ path }) => path).sort(), served.map(({ route }) => route.path).sort())
  t.end()
})

t.test('names inside the directory are names of its rows, layers and archetypes', t => {
  const ids = directory.resources.map(({ id }) => id)
  t.equal(new Set(ids).size, directory.resource_count)
  for (const id of [...directory.reading_order, ...directory.resources.flatMap(row => row.composes_with)])
    t.ok(ids.includes(id), id)
  for (const { id, layer } of directory.resources) t.ok(layer in directory.layers, id)
  const known = archetypes.archetypes.map(({ id }) => id)
  t.strictSame(known, archetypes.financial_boundary.applies_to)
  for (const row of directory.resources)
    for (const id of row.serves_archetypes) t.ok(known.includes(id), `${row.id}: ${id}`)
  t.end()
})

t.test('the numbers that a document gives of its lists are right', t => {
  const counts: [Record<string, unknown>, string, string, number][] = [
    [directory, 'resource_count', 'resources', 17],
    [archetypes, 'archetype_count', 'archetypes', 3],
    [grammar, 'structural_marker_count', 'structural_markers', 12],
    [grammar, 'keyword_marker_count', 'keyword_markers', 4],
    [grammar, 'effect_category_count', 'effect_categories', 4],
    [grammar, 'targeting_phrase_count', 'targeting_phrases', 7],
    [contract, 'zone_count', 'zones', 8],
    [contract, 'phase_count', 'phases', 5],
    [contract, 'combat_step_count', 'combat_steps', 4],
    [contract, 'win_condition_count', 'win_conditions', 3]
  ]
  for (const [document, count, list, wanted] of counts) {
    t.equal(document[count], wanted, count)
    t.equal((document[list] as unknown[]).length, wanted, list)
  }
  t.end()
})

t.test('markers name categories and are named by them', t => {
  const markers = grammar['structural_markers'] as { id: string; category: string | null }[]
  for (const { id, common_markers: common } of grammar['effect_categories'] as {
    id: string
    common_markers: string[]
  }[]) {
    t.strictSame(
      common,
      markers.filter(({ category }) => category === id).map(marker => marker.id),
      id
    )
  }
  for (const { tokens } of grammar['parsed_examples'] as { tokens: { marker?: string }[] }[]) {
    for (const { marker } of tokens)
      if (marker !== undefined)
        t.ok(
          markers.some(({ id }) => id === marker),
          marker
        )
  }
  t.end()
})
