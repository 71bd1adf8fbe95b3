import t from 'tap'
import { unsafePatterns } from '../../../core/schema/patterns.ts'

const refused = (pattern: string): boolean => unsafePatterns({ type: 'string', pattern }).length > 0

t.test('patterns that backtrack without bound are refused', t => {
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^([a-z]+)*$', '^.*.*=.*$', '^(a|b|ab)*c$']) t.ok(refused(pattern), pattern)
  t.end()
})

t.test('the usual patterns are accepted', t => {
  for (const pattern of ['^[0-9a-f]{64}$', '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', '^[a-z]{2}(_[a-z]+)?$', '^/', '^[^/]+$', '^\\d{4}-\\d{2}-\\d{2}$']) t.notOk(refused(pattern), pattern)
  t.end()
})

t.test('every pattern of a schema is looked at, and nothing that is only called so', t => {
  const bad = '^(a+)+$'
  const found = unsafePatterns({
    type: 'object',
    properties: { pattern: { type: 'string', pattern: bad }, list: { type: 'array', items: { anyOf: [{ type: 'string', pattern: bad }] } } },
    patternProperties: { [bad]: { type: 'string' } },
    enum: [{ pattern: bad }],
    default: { pattern: bad }
  })
  t.same(found.map(({ pointer }) => pointer.join('/')), ['properties/pattern/pattern', 'properties/list/items/anyOf/0/pattern', `patternProperties/${bad}`])
  t.end()
})
