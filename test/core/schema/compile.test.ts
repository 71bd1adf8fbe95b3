import Type from 'typebox'
import t from 'tap'
import { checkSchema, compileSchema } from '../../../core/schema/compile.ts'

const Body = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 24 })),
    note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    choice: Type.Optional(Type.Union([Type.Literal('x'), Type.Literal('y')])),
    filter: Type.Optional(
      Type.Union([Type.String(), Type.Object({ field: Type.String() }, { additionalProperties: false })])
    ),
    open: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String(), { uniqueItems: true, minItems: 1 }))
  },
  { additionalProperties: false }
)

const check = compileSchema(Body)
const first = (value: unknown): unknown => check(value)[0]

t.test('a value that fits has no issues', t => {
  t.same(check({ name: 'a', kind: 'b', count: 24, note: null, choice: 'y', filter: { field: 'f' }, tags: ['t'] }), [])
  t.end()
})

t.test('each rule names the field and what is allowed', t => {
  t.match(first({}), { rule: 'missing', key: 'name', pointer: [], message: '`name` is required.' })
  t.match(first({ name: 'a', nmae: 1 }), {
    rule: 'unknown-key',
    key: 'nmae',
    pointer: ['nmae'],
    on: 'key',
    allowed: ['name', 'kind', 'count', 'note', 'choice', 'filter', 'open', 'tags']
  })
  t.match(first({ name: 'a', kind: 'c' }), {
    rule: 'enum',
    allowed: ['a', 'b'],
    message: '`c` is not one of the allowed values for `kind`: `a`, `b`.'
  })
  t.match(first({ name: 5 }), { rule: 'type', message: '`name` must be a text, but this is an integer.' })
  t.match(first({ name: '' }), { rule: 'length', message: '`name` is empty.' })
  t.match(first({ name: 'abcdef' }), { rule: 'length', message: '`name` is longer than 5 characters.' })
  t.match(first({ name: 'a', count: 25 }), { rule: 'range', message: '`count` is 25, but must be from 1 to 24.' })
  t.match(first({ name: 'a', count: 'x' }), {
    rule: 'type',
    message: '`count` must be an integer from 1 to 24, but this is a text.'
  })
  t.match(first({ name: 'a', open: 'yes' }), {
    rule: 'type',
    allowed: [true, false],
    message: '`open` must be `true` or `false`, but this is a text.'
  })
  t.match(first({ name: 'a', tags: ['x', 'x'] }), { rule: 'unique', message: '`tags` holds `x` twice.' })
  t.match(first({ name: 'a', tags: [] }), { rule: 'length', message: '`tags` needs at least 1 member.' })
  t.match(first([]), { rule: 'type', message: 'The value must be a mapping, but this is a list.' })
  t.end()
})

t.test('a choice speaks with one voice', t => {
  t.match(check({ name: 'a', note: 5 }), [
    { rule: 'type', message: '`note` must be a text or `null`, but this is an integer.' }
  ])
  t.match(check({ name: 'a', choice: 'z' }), [{ rule: 'enum', allowed: ['x', 'y'] }])
  t.match(
    check({ name: 'a', filter: { feld: 'f' } }).map(issue => issue.rule),
    ['missing', 'unknown-key']
  )
  t.match(check({ name: 'a', filter: 5 }), [
    { rule: 'type', message: '`filter` must be a text or a mapping, but this is an integer.' }
  ])
  t.end()
})

t.test('a choice between references says what is wrong in the branch that is meant', t => {
  const check = compileSchema({
    $defs: {
      name: { type: 'string', minLength: 1 },
      path: { anyOf: [{ $ref: '#/$defs/name' }, { type: 'array', items: { type: 'string' } }] },
      value: {
        anyOf: [
          { $ref: '#/$defs/path' },
          {
            type: 'object',
            additionalProperties: false,
            properties: {
              path: { $ref: '#/$defs/path' },
              use: { type: 'string' },
              join: { type: 'array', items: { $ref: '#/$defs/value' } },
              with: { type: 'string' },
              case: { enum: ['lower', 'upper'] },
              pattern: { type: 'string' },
              group: { type: 'string' }
            },
            oneOf: [{ required: ['path'] }, { required: ['use'] }, { required: ['join', 'with'] }],
            dependentRequired: { group: ['pattern'] }
          }
        ]
      },
      names: {
        anyOf: [
          { $ref: '#/$defs/value' },
          {
            type: 'object',
            additionalProperties: false,
            required: ['languages'],
            properties: { languages: { type: 'object', additionalProperties: { $ref: '#/$defs/value' } } }
          }
        ]
      }
    },
    type: 'object',
    properties: { at: { $ref: '#/$defs/value' }, names: { $ref: '#/$defs/names' } }
  })
  const told = (value: unknown): string[] => check(value).map(({ message }) => message)
  t.same(told({ at: { path: 'a', case: 'title' } }), [
    '`title` is not one of the allowed values for `at.case`: `lower`, `upper`.'
  ])
  t.same(told({ at: { path: 'a', csae: 'lower' } }), ['`csae` is not a known field.'])
  t.same(told({ at: { join: ['a', { path: ['b', 5] }], with: '-' } }), [
    '`at.join[1].path[1]` must be a text, but this is an integer.'
  ])
  t.same(told({ at: { join: ['a'] } }), ['`with` is required.'])
  t.same(told({ at: {} }), ['`at` needs one of these: `path`; `use`; `join` and `with`.'])
  t.same(told({ at: { path: 'a', use: 'b' } }), ['`at` may have one of these only: `path`; `use`.'])
  t.same(told({ at: { path: 'a', group: 'n' } }), ['`pattern` is required.'])
  t.same(told({ at: 5 }), ['`at` must be a text, a list or a mapping, but this is an integer.'])
  t.same(told({ names: { languages: { en: { path: 5 } } } }), [
    '`names.languages.en.path` must be a text or a list, but this is an integer.'
  ])
  t.same(
    told({ names: { path: 'a', case: 'title' }, at: ['a', 5] }),
    [
      '`title` is not one of the allowed values for `names.case`: `lower`, `upper`.',
      '`at[1]` must be a text, but this is an integer.'
    ].reverse()
  )
  t.end()
})

t.test('places inside lists and odd names are exact', t => {
  const nested = compileSchema({
    type: 'object',
    properties: { 'a/b~c': { type: 'array', items: { type: 'object', properties: { x: { type: 'integer' } } } } }
  })
  t.match(nested({ 'a/b~c': [{ x: 1 }, { x: 'y' }] }), [
    { pointer: ['a/b~c', 1, 'x'], message: '`a/b~c[1].x` must be an integer, but this is a text.' }
  ])
  t.end()
})

t.test('dates and URIs are checked, not only described', t => {
  const date = compileSchema({ type: 'string', format: 'date' })
  t.same(date('2026-11-20'), [])
  t.match(date('2026-02-30'), [{ rule: 'format' }])
  t.match(compileSchema({ type: 'string', format: 'uri' })('no uri'), [{ rule: 'format' }])
  t.end()
})

t.test('a schema is compiled once for its object', t => {
  const schema = { type: 'integer' }
  const value = compileSchema(schema)
  t.same(value(1), [])
  t.match(compileSchema(schema)('a'), [{ rule: 'type' }])
  t.end()
})

t.test('a schema that checks nothing is refused', t => {
  t.same(checkSchema({ type: 'object', properties: { a: { type: 'string', 'x-corpus': 'guides' } } }), [])
  t.match(checkSchema({ type: 'object', properties: { a: { type: 'sting' } } }), [
    { pointer: ['properties', 'a', 'type'], rule: 'enum' }
  ])
  t.match(checkSchema({ type: 'object', propertys: {} }), [
    { pointer: ['propertys'], on: 'key', message: '`propertys` is not a keyword of JSON Schema.' }
  ])
  t.match(checkSchema({ type: 'string', pattern: '[' }).length, 1)
  t.match(checkSchema({ $ref: '#/$defs/none' }).length, 1)
  t.end()
})

t.test('a condition reports what its branch found, and a member that does not go with it by its name', t => {
  const check = compileSchema({
    type: 'object',
    properties: { kind: { type: 'string' }, contact: { type: 'string' } },
    allOf: [
      {
        if: { properties: { kind: { const: 'adopter' } } },
        then: { required: ['contact'] },
        else: { properties: { contact: false } }
      }
    ]
  })
  t.match(check({ kind: 'adopter' }), [{ rule: 'missing', key: 'contact', message: '`contact` is required.' }])
  t.same(check({ kind: 'adopter' }).length, 1)
  t.match(check({ kind: 'general', contact: 'desk' }), [
    { pointer: ['contact'], rule: 'other', message: '`contact` does not go with what else is given.' }
  ])
  t.same(check({ kind: 'general', contact: 'desk' }).length, 1)
  t.same(check({ kind: 'adopter', contact: 'desk' }), [])
  t.end()
})
