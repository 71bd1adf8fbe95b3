import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { compileCollection } from '../../../core/kinds/collection/source.ts'
import { compileDiscovery } from '../../../core/kinds/discovery.ts'
import { compileDocument } from '../../../core/kinds/document.ts'
import { compileEntry } from '../../../core/kinds/entry.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { kindNames } from '../../../core/kinds/list.ts'
import { compileStatusOnly } from '../../../core/kinds/status-only.ts'
import { compileWitness } from '../../../core/kinds/witness.ts'
import { dependenciesOf } from '../../../core/plan/kind.ts'
import { capabilities } from '../../../core/vocabulary/words.ts'

const handlers = new Map()
const corpora = new Map()

/**
 * A source receives only what its kind reaches. The type-checker holds this line: each expectation below is an error as
 * soon as the compiler would accept the forbidden argument. Nothing here runs.
 */
export const refusedByTheTypes = (surface: never): unknown[] => [
  // @ts-expect-error a status-only source is given nothing beside its surface
  compileStatusOnly(surface, { handlers }),
  // @ts-expect-error a document source is given documents, no code with services
  compileDocument(surface, { documents: new Map(), handlers }),
  // @ts-expect-error a collection source is given corpora, no code with services
  compileCollection(surface, { corpora, handlers }),
  // @ts-expect-error an entry source is given corpora, no code with services
  compileEntry(surface, { corpora, handlers }),
  // @ts-expect-error a witness source is given nothing beside its surface
  compileWitness(surface, { handlers }),
  // @ts-expect-error a discovery source is given the registry and what is observed, no code with services
  compileDiscovery(surface, { registry: surface, observations: surface, handlers })
]

t.test('a kind is handed what it reaches and nothing else, and services reach one kind alone', t => {
  const everything = Object.fromEntries(Object.keys(capabilities).map(name => [name, name])) as never
  for (const kind of kinds) {
    t.strictSame(Object.keys(dependenciesOf(kind, everything)).sort(), [...kind.reaches].sort(), kind.name)
  }
  t.strictSame(
    kinds.filter(({ reaches }) => reaches.includes('handlers')).map(({ name }) => name),
    ['handler']
  )
  t.end()
})

t.test('a kind is called as its folder or file', t => {
  t.strictSame(
    kinds.map(({ name }) => name),
    kindNames
  )
  const folder = join(packageFolder, 'core', 'kinds')
  const places = readdirSync(folder, { withFileTypes: true })
    .filter(file => file.isDirectory() || / = defineKind</.test(readFileSync(join(folder, file.name), 'utf8')))
    .map(({ name }) => name.replace(/\.ts$/, ''))
  t.strictSame(places.sort(), kindNames)
  t.end()
})

t.test('a status-only source answers without looking at anything', t => {
  const untouchable = new Proxy(
    {},
    {
      get() {
        throw new Error('looked')
      }
    }
  ) as never
  const surface = {
    answer: { status: 503, error: { code: 'SOURCE_UNAVAILABLE', message: 'Paused.' }, data: null }
  } as unknown as Parameters<typeof compileStatusOnly>[0]
  const source = compileStatusOnly(surface)
  t.match(source.answer(untouchable, untouchable), { status: 503, data: null })
  t.end()
})
