import t from 'tap'
import { compileMeta, metaFactsOf } from '../../../core/contract/envelope.ts'
import { metaSchema } from '../../../core/discovery/meta-schema.ts'
import type { Registry } from '../../../core/registry/registry.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { metaFields } from '../../../core/vocabulary/words.ts'
import { generationOf, library } from '../../support/serve-root.ts'

function metaOf(registry: Registry, path: string): Record<string, unknown> {
  const [surface] = registry.surfaces
  if (surface === undefined) throw new Error('no surface')
  const [beforeTime, beforeId, end] = compileMeta(registry)(
    path,
    '2026-11-22T00:00:00.000Z',
    metaFactsOf(surface, registry)
  )
  return JSON.parse(`${beforeTime}2026-11-22T00:00:00.000Z${beforeId}req_0000000000000000${end}`) as Record<
    string,
    unknown
  >
}

t.test('a service adds members to the envelope: fixed ones, and entries that belong to the path', async t => {
  const { registry } = await generationOf(t, [library])
  const paths = [
    '/api/v1/',
    '/api/v1/library/books',
    '/api/v1/library/branches',
    '/api/v1/status',
    '/api/v1/health',
    '/api/v1/tools'
  ]
  const metas = paths.map(path => metaOf(registry, path))
  const books = registry.corpora.get('books')?.entries ?? []
  const check = compileSchema(metaSchema(registry))
  for (const [index, meta] of metas.entries()) {
    t.strictSame(Object.keys(meta), [...metaFields, 'desk', 'shelf_of_the_page'])
    t.same(meta['desk'], { name: 'River Street Library', open_days: 6 })
    t.ok(books.some(book => JSON.stringify(book) === JSON.stringify(meta['shelf_of_the_page'])))
    t.same(metaOf(registry, paths[index] ?? ''), meta, 'the same path has the same entry')
    t.same(check(meta), [], 'in the shape that is published')
  }
  t.ok(new Set(metas.map(meta => JSON.stringify(meta['shelf_of_the_page']))).size > 1, 'other paths have other entries')
  t.not(check({ ...metas[0], desk: { name: 5 } }).length, 0, 'the schema follows from the value')
  t.not(check({ ...metas[0], shelf_of_the_page: {} }).length, 0, 'and from the entries')
  const empty = { ...registry, corpora: new Map() }
  t.equal(metaOf(empty, '/')['shelf_of_the_page'], null)
})
