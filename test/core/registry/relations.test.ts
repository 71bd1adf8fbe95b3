import t from 'tap'
import type { Surface } from '../../../core/manifest/surface.ts'
import { listsNaming, showingOne } from '../../../core/registry/relations.ts'

const surface = (
  id: string,
  as: 'one' | 'list' | 'choice',
  { access = ['public'], placeholders = [] as string[], ...more }: object & Partial<Record<string, unknown>> = {}
): Surface =>
  ({
    id,
    access,
    shows: { corpus: as === 'one' ? 'stops' : 'calls', as, member: 'entry' },
    route: { placeholders },
    input: { query: { properties: { station: { type: 'string', 'x-corpus': 'stops' }, q: { type: 'string' } } } },
    ...more
  }) as unknown as Surface

const one = surface('one', 'one', { placeholders: ['stop_id'] })
const idsFor = (from: Surface, ...lists: readonly Surface[]): readonly string[] =>
  listsNaming(from, lists).map(list => `${list.surface.id}.${list.parameter}`)

t.test('the first surface with the key alone in its path shows one entry', async t => {
  const of = (...surfaces: readonly Surface[]): unknown => showingOne(surfaces).get('stops')?.surface.id
  t.equal(of(surface('two', 'one', { placeholders: ['line', 'stop_id'] }), surface('none', 'one'), one), 'one')
  t.equal(of(one, surface('later', 'one', { placeholders: ['id'] })), 'one')
  t.equal(of(surface('list', 'list', { placeholders: ['stop_id'] })), undefined)
})

t.test('lists that a key selects from are linked where who reads the entry may read them', async t => {
  t.strictSame(idsFor(one, surface('calls', 'list'), surface('daily', 'choice')), ['calls.station'])
  const staff = surface('staff', 'list', { access: ['admin'] })
  const members = surface('members', 'one', { access: ['admin', 'user'], placeholders: ['stop_id'] })
  t.strictSame(idsFor(one, staff), [])
  t.strictSame(idsFor(members, staff), [])
  t.strictSame(idsFor(members, surface('both', 'list', { access: ['user', 'admin'] })), ['both.station'])
  t.strictSame(idsFor(members, surface('calls', 'list')), ['calls.station'])
  t.strictSame(idsFor(one, surface('old', 'list', { deprecation: { date: '2026-11-30', reason: 'Old.' } })), [])
  t.strictSame(idsFor(surface('list', 'list'), surface('calls', 'list')), [])
})
