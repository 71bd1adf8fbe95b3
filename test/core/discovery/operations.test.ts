import fc from 'fast-check'
import t from 'tap'
import { surfaceNamesOf, operationsOf } from '../../../core/discovery/operations.ts'
import { isForPrograms } from '../../../core/discovery/pointers.ts'
import { registry, registryOf, surface } from './fixture.ts'

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
