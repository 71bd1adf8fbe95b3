import fc from 'fast-check'
import t from 'tap'
import { acceptorOf } from '../../../core/schema/acceptor.ts'
import { createValidator } from '../../../core/schema/compile.ts'
import { registryOf } from '../../support/registry.ts'

const ajv = createValidator()
const names = fc.constantFrom('a', 'b', 'a1', 'constructor', '__proto__')
const text = fc.oneof(
  names,
  fc.constantFrom(
    '',
    'x',
    'ab',
    '💚',
    '\ud83d',
    '2026-11-20',
    '2026-02-30',
    '2026-11-20T08:00:00Z',
    'https://a.example/b',
    'a@b.example',
    '[',
    '%'
  )
)
const number = fc.constantFrom(0, -0, 1, 1.5, -1, 3, 2 ** 53, 1e300)
const scalar = fc.oneof(fc.constant(null), fc.boolean(), number, text)
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 })
  )
}))
const type = fc.constantFrom('null', 'boolean', 'string', 'number', 'integer', 'array', 'object')
const count = fc.constantFrom(0, 1, 2, 3)
const rarely = <T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: value })
const some = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { minLength: 1, maxLength: 3 })

/** What a schema of a type says besides; the keywords of other types come in now and then. */
const keywordsOf: Readonly<Record<string, (schema: fc.Arbitrary<unknown>) => Record<string, fc.Arbitrary<unknown>>>> = {
  string: () => ({
    minLength: rarely(count),
    maxLength: rarely(count),
    pattern: rarely(fc.constantFrom('^a', '.', '^.$', '\\d', '[')),
    format: rarely(fc.constantFrom('date', 'date-time', 'uri', 'uri-reference', 'regex', 'email', 'ipv4'))
  }),
  number: () => ({
    minimum: rarely(number),
    maximum: rarely(number),
    exclusiveMinimum: rarely(number),
    exclusiveMaximum: rarely(number),
    multipleOf: rarely(number)
  }),
  array: schema => ({
    items: rarely(schema),
    minItems: rarely(count),
    maxItems: rarely(count),
    uniqueItems: rarely(fc.boolean()),
    prefixItems: some(schema)
  }),
  object: schema => ({
    properties: rarely(fc.dictionary(names, schema)),
    required: rarely(fc.array(names, { maxLength: 2 })),
    additionalProperties: rarely(schema),
    patternProperties: rarely(fc.dictionary(fc.constantFrom('^a', '^c', '('), schema)),
    propertyNames: rarely(schema),
    minProperties: rarely(count),
    maxProperties: rarely(count),
    dependentRequired: rarely(fc.dictionary(names, fc.array(names, { maxLength: 2 })))
  })
}
const everywhere = (schema: fc.Arbitrary<unknown>): Record<string, fc.Arbitrary<unknown>> => ({
  enum: rarely(fc.array(value, { maxLength: 3 })),
  const: value,
  anyOf: rarely(some(schema)),
  allOf: rarely(some(schema)),
  oneOf: rarely(some(schema)),
  not: rarely(schema),
  if: rarely(schema),
  then: rarely(schema),
  else: rarely(schema),
  $ref: fc.constantFrom('#/$defs/a', '#/$defs/none', 'other.json'),
  $defs: rarely(fc.dictionary(names, schema)),
  title: rarely(text),
  description: rarely(text),
  examples: rarely(fc.array(value)),
  default: value,
  deprecated: rarely(fc.boolean()),
  'x-corpus': text,
  nullable: fc.boolean(),
  madeUp: value
})
/** Each keyword is there once in `times`. */
const maybe = (parts: Record<string, fc.Arbitrary<unknown>>, times: number): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [
        name,
        fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: part })
      ])
    )
  )

function schemaOf(depth: number): fc.Arbitrary<unknown> {
  if (depth === 0)
    return fc.oneof(
      type.map(name => ({ type: name })),
      fc.boolean()
    )
  const below = schemaOf(depth - 1)
  const own = new Map([
    ...[3, 8].flatMap(times =>
      Object.entries(keywordsOf).map(([name, parts]) => [`${name} ${times}`, maybe(parts(below), times)] as const)
    )
  ])
  const ofType = (name: string, times: number): fc.Arbitrary<object> =>
    own.get(`${name === 'integer' ? 'number' : name} ${times}`) ?? fc.constant({})
  const always = maybe(everywhere(below), 8)
  return fc.oneof(
    { weight: 4, arbitrary: type.chain(name => ofType(name, 3).map(one => ({ type: name, ...one }))) },
    fc.boolean(),
    always,
    fc
      .tuple(rarely(fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))), always)
      .map(([types, one]) => ({ type: types, ...one })),
    fc
      .tuple(type, type)
      .chain(([name, other]) =>
        fc
          .tuple(ofType(name, 3), ofType(other, 8))
          .map(([one, more]) => ({ type: [...new Set([name, other])], ...one, ...more }))
      )
  )
}

/** As read from a file or a request: without members that are `undefined`. */
const plain = (made: unknown): unknown => JSON.parse(JSON.stringify(made))

t.test('the acceptor and the validator agree on every schema that the acceptor takes, and on every value', t => {
  let taken = 0
  let [fitting, wrong] = [0, 0]
  fc.assert(
    fc.property(schemaOf(3), fc.array(value, { minLength: 8, maxLength: 8 }), (made, values) => {
      const one = plain(made)
      if (typeof one === 'boolean') return
      const fits = acceptorOf(one as object as Record<string, unknown>)
      if (fits === undefined) return
      taken++
      const validate = ajv.compile(one as object)
      for (const given of values.map(plain)) {
        const expected = validate(given)
        if (fits(given) !== expected)
          throw new Error(`${JSON.stringify(one)} of ${JSON.stringify(given)}: ${String(expected)} for the validator`)
        if (expected) fitting++
        else wrong++
      }
    }),
    { numRuns: 3000 }
  )
  t.ok(
    taken > 500 && fitting > 500 && wrong > 500,
    `${taken} schemas, ${fitting} values that fit, ${wrong} that do not`
  )
  t.end()
})

t.test(
  'the acceptor takes every schema of the service and of its manifests, so that a start needs no validator',
  async t => {
    const { registry } = await registryOf()
    const schemas = [
      ...registry.kinds.map(({ name, schema }) => [`kind ${name}`, schema] as const),
      ...[...registry.corpora.values()].map(({ name, schema }) => [`corpus ${name}`, schema] as const),
      ...registry.surfaces.flatMap(({ id, input: { params, query, body } }) =>
        [params, query, body?.schema].map(one => [`surface ${id}`, one] as const)
      )
    ]
    t.same(
      schemas.filter(([, one]) => one !== undefined && acceptorOf(one) === undefined).map(([name]) => name),
      []
    )
  }
)
