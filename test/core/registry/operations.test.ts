import fc from 'fast-check'
import t from 'tap'
import type { Surface } from '../../../core/manifest/surface.ts'
import { namesToRecord, operationsOf, surfaceNamesOf } from '../../../core/registry/operations.ts'
import type { RecordedName, RecordedNames } from '../../../core/registry/recorded-names.ts'
import { isForPrograms } from '../../../core/manifest/surface.ts'
import { registry, registryOf, surface } from '../discovery/fixture.ts'

const form = /^[a-zA-Z_][a-zA-Z0-9_]{0,62}$/

t.test('an operation is named after its method and the id of its surface', t => {
  const names = operationsOf(registry).map(operation => operation.name)
  t.match(
    names,
    new Set(['get_harbours', 'post_seen', 'get_mirror', 'post_mirror', 'delete_mirror', 'get_rate_limits'])
  )
  t.equal(
    names.length,
    registry.surfaces.filter(isForPrograms).reduce((sum, one) => sum + one.route.methods.length, 0)
  )
  t.end()
})

t.test('a surface of several methods is named after the first one', t => {
  t.equal(surfaceNamesOf(registry).get(registry.byId.get('mirror')!), 'get_mirror')
  t.equal(surfaceNamesOf(registry).size, registry.surfaces.filter(isForPrograms).length)
  t.end()
})

t.test('ids that differ only in punctuation get different names', t => {
  const names = operationsOf(registryOf([surface('a/b', '/1'), surface('a-b', '/2'), surface('ab', '/3')])).map(
    operation => operation.name
  )
  t.equal(new Set(names).size, 3)
  t.ok(names.includes('get_ab'))
  t.end()
})

t.test('names have the form that every vendor takes, and are unique', t => {
  const id = fc.stringMatching(/^[a-z0-9][a-z0-9._/-]{0,118}$/)
  t.doesNotThrow(() => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 12 }), ids => {
        const names = operationsOf(registryOf(ids.map((one, index) => surface(one, `/${index}`)))).map(
          operation => operation.name
        )
        return names.every(name => form.test(name)) && new Set(names).size === ids.length
      })
    )
  })
  t.end()
})

const recorded = (id: string, path: string, more: Partial<RecordedName> = {}): RecordedName => ({
  surface: id,
  method: 'GET',
  path,
  ...more
})
const namesIn = (surfaces: readonly Surface[], names: RecordedNames): string[] =>
  operationsOf({ surfaces, names })
    .map(({ surface, name }) => `${surface.id} ${name}`)
    .sort()

t.test('a recorded name stays when files come, go, and are renamed, and a new one takes none of them', t => {
  const names = { get_a_b: recorded('a/b', '/1'), get_old: recorded('c', '/{slug}'), get_gone: recorded('gone', '/9') }
  t.same(namesIn([surface('a/b', '/1'), surface('a-b', '/2'), surface('d', '/{name}'), surface('gone', '/8')], names), [
    'a-b get_a_b_a757d03a',
    'a/b get_a_b',
    'd get_old',
    'gone get_gone'
  ])
  t.same(
    namesIn([surface('a-b', '/2'), surface('old', '/7')], names).map(one => one.replace(/_[0-9a-f]{8}$/, '…')),
    ['a-b get_a_b…', 'old get_old…'],
    'a name that nothing has is not given to another'
  )
  t.same(
    namesIn([surface('a', '/1'), surface('b', '/2')], { get_b: recorded('x', '/1'), get_a: recorded('y', '/2') }),
    ['a get_b', 'b get_a'],
    'a name goes with its path'
  )
  t.end()
})

t.test('a name that is deprecated gives way to another of the same path, and is kept', t => {
  const names = { get_a: recorded('a', '/1', { deprecated: '2026-11-28' }), list_a: recorded('a', '/1') }
  const surfaces = [surface('a', '/1')]
  t.same(namesIn(surfaces, names), ['a list_a'])
  t.same(namesToRecord({ surfaces, names }), { get_a: names.get_a, list_a: recorded('a', '/1', { tool: true }) })
  t.end()
})

t.test('the name of a tool stays with one of the methods', t => {
  const mirror = registry.byId.get('mirror')!
  const names = namesToRecord({ surfaces: [mirror] })
  t.same(
    Object.entries(names).map(([name, { tool }]) => [name, tool ?? false]),
    [
      ['get_mirror', true],
      ['post_mirror', false],
      ['delete_mirror', false]
    ]
  )
  const turned = { ...mirror, route: { ...mirror.route, methods: [...mirror.route.methods].reverse() } }
  t.equal(surfaceNamesOf({ surfaces: [turned], names }).get(turned), 'get_mirror')
  t.equal(surfaceNamesOf({ surfaces: [turned] }).get(turned), 'delete_mirror', 'without a record it is the first')
  t.end()
})
