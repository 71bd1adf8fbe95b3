import t from 'tap'
import { compileCollection } from '../../../core/plan/sources/collection.ts'
import { compileDocument } from '../../../core/plan/sources/document.ts'
import { compileEntry } from '../../../core/plan/sources/entry.ts'
import { compileStatusOnly } from '../../../core/plan/sources/status-only.ts'
import { compileWitness } from '../../../core/plan/sources/witness.ts'
import type { SurfaceOf } from '../../../core/manifest/surface.ts'

const services = { store: { read: () => 'a row' } }
const corpora = new Map()

/**
 * A plan receives only what its kind may touch. The type-checker holds this line: each expectation below is an error as soon as
 * the compiler would accept the forbidden argument. Nothing here runs.
 */
export const refusedByTheTypes = (surface: never): unknown[] => [
  // @ts-expect-error a status-only plan is given nothing beside its surface
  compileStatusOnly(surface, { services }),
  // @ts-expect-error a document plan is given documents, no services
  compileDocument(surface, { documents: new Map(), services }),
  // @ts-expect-error a collection plan is given corpora, no services
  compileCollection(surface, { corpora, services }),
  // @ts-expect-error an entry plan is given corpora, no services
  compileEntry(surface, { corpora, services }),
  // @ts-expect-error a witness plan is given nothing beside its surface
  compileWitness(surface, { services })
]

t.test('a status-only source answers without looking at anything', t => {
  const surface = { answer: { kind: 'status-only', status: 503, error: { code: 'SOURCE_UNAVAILABLE', message: 'Paused.' }, document: null } } as unknown as SurfaceOf<'status-only'>
  const source = compileStatusOnly(surface)
  const untouchable = new Proxy({}, { get () { throw new Error('looked') } }) as never
  t.match(source.answer(untouchable, untouchable), { status: 503, data: null })
  t.end()
})
