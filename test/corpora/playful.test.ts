import t from 'tap'
import { registryOf } from '../support/registry.ts'
import type { JsonObject } from '../../core/canonical/json.ts'
import type { CollectionAnswer } from '../../core/kinds/collection/manifest.ts'
import { compileCollection } from '../../core/kinds/collection/source.ts'
import type { Surface } from '../../core/manifest/surface.ts'

const { registry } = await registryOf()
const corpus = (name: string): readonly JsonObject[] => registry.corpora.get(name)?.entries ?? []

t.test('there are jokes of every form and every groan, and only a one-liner lacks a punchline', t => {
  const jokes = corpus('jokes')
  t.ok(jokes.length >= 24)
  t.ok(corpus('dad-jokes').length >= 24)
  for (const form of ['qa', 'one-liner', 'shaggy-dog']) {
    for (const groan of [1, 2, 3, 4, 5])
      t.ok(
        jokes.some(joke => joke['form'] === form && joke['groan_intensity'] === groan),
        `${form}, ${groan}`
      )
  }
  for (const joke of jokes) t.equal(joke['punchline'] === null, joke['form'] === 'one-liner', joke['id'] as string)
  t.end()
})

t.test('the programme has twenty-one pieces, and their composers died more than seventy years ago', t => {
  const pieces = corpus('soundtrack')
  t.strictSame(
    pieces.map(({ number }) => number),
    Array.from({ length: 21 }, (_, at) => at + 1)
  )
  for (const piece of pieces) t.ok((piece['composer_died'] as number) <= 2026 - 71, piece['title'] as string)
  t.end()
})

t.test('what is picked for a day is the same all day, and every entry has its turn', t => {
  for (const [id, member] of [
    ['playful/dadjoke', 'joke'],
    ['playful/joke', 'joke'],
    ['playful/soundtrack', 'piece']
  ] as const) {
    const surface = registry.byId.get(id) as Surface<CollectionAnswer>
    const source = compileCollection(surface, registry)
    const on = (time: string): unknown => {
      const result = source.answer({ params: {}, query: {}, body: undefined }, { now: new Date(time), time })
      return ((result as { data: JsonObject }).data[member] as JsonObject)['id']
    }
    t.equal(on('2026-11-20T00:00:00.000Z'), on('2026-11-20T23:59:59.999Z'), id)
    const size = corpus(surface.answer.corpus).length
    const turns = new Set(
      Array.from({ length: size }, (_, day) => on(new Date(Date.UTC(2026, 0, 1 + day)).toISOString()))
    )
    t.equal(turns.size, size, id)
  }
  t.end()
})

t.test('what has an entry for each day gives all of them to who asks, and says where', t => {
  for (const { id, kind, answer, route } of registry.surfaces) {
    if (kind !== 'collection') continue
    const { pick, all, fixed } = answer as CollectionAnswer
    if (pick === undefined) continue
    t.equal(all, true, id)
    t.equal(fixed['request_all'], `${route.path}?all=true`, id)
  }
  t.end()
})
