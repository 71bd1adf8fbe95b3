import TypeBox, { type TSchema } from 'typebox'
import t from 'tap'
import { Type } from '../../../core/canonical/type.ts'

/** One declaration of everything, with either builder. */
function declared(type: typeof Type): Readonly<Record<string, TSchema>> {
  const text = type.String({ minLength: 1, description: 'A text.' })
  const object = type.Object(
    {
      a: text,
      b: type.Optional(type.Integer({ minimum: 0 })),
      c: type.Optional({ ...text, maxLength: 3 }),
      d: { ...type.Optional(text) }
    },
    { additionalProperties: false }
  )
  return {
    text,
    plain: type.String(),
    number: type.Number({ maximum: 1 }),
    boolean: type.Boolean(),
    null: type.Null({ title: 'Nothing' }),
    unknown: type.Unknown({ description: 'Any.' }),
    never: type.Never(),
    literal: type.Literal('x', { description: 'One.' }),
    literals: type.Array(type.Union([type.Literal(1), type.Literal(true)])),
    enum: type.Enum(['a', 'b'], { default: 'a' }),
    intersect: type.Intersect([object, type.Object({ e: type.Null() })]),
    array: type.Array(object, { minItems: 1, uniqueItems: true }),
    record: type.Record(type.String(), text, { maxProperties: 3 }),
    formed: type.Record(type.String({ pattern: '^[a-z]+$' }), object),
    object,
    empty: type.Object({}),
    renamed: type.Object({ type: text }, { required: [] }),
    optional: type.Optional(object),
    partial: type.Partial(object, { additionalProperties: false }),
    cyclic: type.Cyclic(
      { Node: type.Object({ name: text, children: type.Optional(type.Array(type.Ref('Node'))) }) },
      'Node',
      { description: 'A tree.' }
    ),
    unsafe: type.Unsafe<string>({ type: 'string', format: 'uri' })
  }
}

/** Everything that an object has, also what is hidden. */
const whole = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(whole)
      : Object.fromEntries(
          Reflect.ownKeys(value).map(key => [
            key,
            {
              ...Object.getOwnPropertyDescriptor(value, key),
              value: whole((value as Record<PropertyKey, unknown>)[key])
            }
          ])
        )

t.test('schemas are what typebox makes, hidden members included', t => {
  const [own, theirs] = [declared(Type), declared(TypeBox)]
  for (const [name, schema] of Object.entries(theirs)) {
    t.equal(JSON.stringify(own[name]), JSON.stringify(schema), name)
    t.same(whole(own[name]), whole(schema), name)
  }
  t.end()
})
