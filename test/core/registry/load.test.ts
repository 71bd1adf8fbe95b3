import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { loadRegistry, withBaseUrl, type Root } from '../../../core/registry/load.ts'
import { standard } from '../../support/standard.ts'

const library = join(packageFolder, 'test/fixture/library')
const root = (name: string, folder: string): Root => ({
  name,
  folder,
  handlers: new Map(),
  handlerFiles: new Map(),
  problems: []
})
// The service of the fixture links to the framework's own surfaces, so that root is loaded with it.
const load = (folder: string): ReturnType<typeof loadRegistry> =>
  loadRegistry({ roots: [standard, root('library', folder)], kinds })

t.test('a root without code becomes a registry', t => {
  const { registry, diagnostics } = load(library)
  t.same(diagnostics, [])
  t.same(registry?.roots, ['standard', 'library'])
  const paths = registry?.surfaces.map(({ route }) => route.path) ?? []
  t.same(paths, [...paths].sort(), 'surfaces are sorted by path')
  for (const surface of registry?.surfaces ?? []) t.equal(registry?.byId.get(surface.id), surface)
  for (const corpus of registry?.corpora.values() ?? []) t.equal(corpus.byKey.size, corpus.entries.length)
  t.end()
})

t.test('the digest tells registries apart, and equal ones not', t => {
  const folder = t.testdir()
  cpSync(library, folder, { recursive: true })
  const before = load(folder).registry
  t.match(before?.digest, /^[0-9a-f]{64}$/)
  t.equal(load(folder).registry?.digest, before?.digest)
  if (before === undefined) return t.end()
  const moved = withBaseUrl(before, 'http://elsewhere.example')
  t.equal(moved.service.base_url, 'http://elsewhere.example')
  t.not(moved.digest, before.digest)
  t.equal(withBaseUrl(before, before.service.base_url), before)
  mkdirSync(join(folder, 'corpora/documents'), { recursive: true })
  writeFileSync(join(folder, 'corpora/documents/more.yaml'), 'a: 1\n')
  const more = load(folder)
  t.same(
    more.diagnostics.map(one => one.code),
    ['C304'],
    'a warning comes with a registry'
  )
  t.not(more.registry?.digest, before.digest)
  return t.end()
})

t.test('one mistake is one diagnostic, however many surfaces depend on it', t => {
  const folder = t.testdir()
  cpSync(library, folder, { recursive: true })
  writeFileSync(join(folder, 'corpora/books/schema.yaml'), 'type: objct\n')
  const { registry, diagnostics } = load(folder)
  t.equal(registry, undefined)
  t.same(
    diagnostics.map(one => one.code),
    ['C204']
  )
  t.end()
})

t.test('an entry in a file may name a row of a table, whose keys only the database knows', t => {
  const folder = t.testdir()
  cpSync(library, folder, { recursive: true })
  mkdirSync(join(folder, 'corpora/shelves'))
  const declared = 'title: Shelves\ntable: shelves\nkey: id\norder: [id]\nlicense: CC0-1.0\nsource: The library.\n'
  writeFileSync(join(folder, 'corpora/shelves/corpus.yaml'), declared)
  const schema =
    'type: object\nadditionalProperties: false\nrequired: [id]\nproperties: { id: { type: string, x-corpus: books } }\n'
  writeFileSync(join(folder, 'corpora/shelves/schema.yaml'), schema)
  const books = join(folder, 'corpora/books/schema.yaml')
  writeFileSync(books, readFileSync(books, 'utf8').replace('x-corpus: branches', 'x-corpus: shelves'))
  t.same(
    load(folder).diagnostics.map(({ code }) => code),
    ['C305', 'C302'],
    'nothing but that no surface shows one row, or uses the table'
  )
  t.end()
})
