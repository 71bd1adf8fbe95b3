import t from 'tap'
import { registryOf } from '../support/registry.ts'
import { canonicalize, sha256Hex, type JsonObject, type JsonValue } from '../../core/canonical/json.ts'
import { parseSku } from '../../surfaces/cards/sku.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { registry } = await registryOf()
const corpus = (name: string): readonly JsonObject[] => registry.corpora.get(name)?.entries ?? []
const only = (entry: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, entry[name] as JsonValue]))

t.test('the guides are one chain: each leads to the next, and the steps are counted', t => {
  const guides = corpus('guides')
  t.equal(guides.length, 12)
  for (const [index, guide] of guides.entries()) {
    const slug = guide['slug'] as string
    const steps = guide['steps'] as readonly JsonObject[]
    t.equal(guide['position'], index + 1, slug)
    t.equal(guide['next_guide_slug'], guides[index + 1]?.['slug'] ?? null, slug)
    t.equal(guide['step_count'], steps.length, slug)
    t.strictSame(
      steps.map(step => step['step_number']),
      steps.map((_, at) => at + 1),
      slug
    )
  }
  t.end()
})

t.test('where members can be chosen, the text says which come in any case', t => {
  const described = registry.surfaces.flatMap(({ id, input: { query } }) => {
    const { description } = (query['properties'] as { fields?: { description: string } }).fields ?? {}
    return description?.startsWith('Members of an entry') === true ? [{ id, description }] : []
  })
  t.ok(described.length > 0)
  for (const { id, description } of described) t.match(description, /Shown in any case: /, id)
  t.end()
})

t.test('the tarot has its 22 trumps in order, and a haiku shows its lines as text', t => {
  t.strictSame(
    corpus('tarot').map(card => card['number']),
    Array.from({ length: 22 }, (_, number) => number)
  )
  for (const poem of corpus('haiku'))
    t.equal(poem['text'], (poem['lines'] as readonly string[]).join(' / '), poem['id'] as string)
  t.end()
})

t.test('a gap is closed on a day, or it is open', t => {
  for (const gap of corpus('gaps'))
    t.equal(gap['closed_at'] !== null, (gap['status'] as string).startsWith('closed'), gap['id'] as string)
  t.end()
})

t.test(
  'a relation of a card to an artwork names its revision, a SKU that can be read, and evidence of the relation',
  t => {
    const covered = [
      'key',
      'card',
      'artwork',
      'relation',
      'evidence',
      'curation',
      'confidence',
      'as_of',
      'rights',
      'provenance'
    ]
    const relations = corpus('answering-rhymes')
    t.ok(relations.length >= 6)
    for (const entry of relations) {
      const key = entry['key'] as string
      t.equal(entry['revision'], sha256Hex(canonicalize(only(entry, covered))), `${key}: revision`)
      t.equal(entry['sku'], (entry['card'] as JsonObject)['sku'], `${key}: sku`)
      t.not(parseSku(entry['sku'] as string), undefined, `${key}: form of the sku`)
      t.ok(
        (entry['evidence'] as readonly JsonObject[]).some(({ supports }) => supports === 'relation'),
        `${key}: evidence`
      )
    }
    t.end()
  }
)

t.test('our own recipe keeps to the lengths that its template recommends', t => {
  const { draft_schema: schema, example } = registry.documents.get('recipe-template')?.value as unknown as {
    draft_schema: { sections: { name: string; recommended_length: { min: number; max: number } }[] }
    example: { recipe: { sections: Record<string, string> } }
  }
  t.strictSame(
    Object.keys(example.recipe.sections),
    schema.sections.map(({ name }) => name)
  )
  for (const {
    name,
    recommended_length: { min, max }
  } of schema.sections) {
    const { length } = example.recipe.sections[name] ?? ''
    t.ok(length >= min && length <= max, `${name}: ${length} characters`)
  }
  t.end()
})

t.test(
  'the notebook and its receipts share one hash contract: a note that is sent again has the id it is kept under',
  async t => {
    const { get } = await serveGeneration(t, await generationOf(t, ['.']))
    for (const note of corpus('agents-notes')) {
      const body = JSON.stringify(only(note, ['title', 'text', 'by', 'for_kin', 'about']))
      const answer = (await (
        await get('/api/v1/agents/notes', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
      ).json()) as { data: { content_hash: string } }
      t.equal(answer.data.content_hash, note['id'], note['title'] as string)
    }
  }
)
