import type { VNode } from 'pantry/page'

type Schema = Readonly<Record<string, unknown>>
type FieldProps = Readonly<{
  at: number
  name: string
  required: boolean
  description: string
  schema: unknown
  value: string
}>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

/** Returns the values that a schema lists as allowed. */
const choicesOf = ({ enum: values, const: only, type, anyOf }: Schema): readonly string[] =>
  only !== undefined
    ? [textOf(only) ?? '']
    : type === 'boolean'
      ? ['true', 'false']
      : [...listOf(values).flatMap(one => textOf(one) ?? []), ...listOf(anyOf).filter(isObject).flatMap(choicesOf)]

/** Returns an example value, which is the placeholder of the field. */
const exampleOf = ({ examples, default: usual }: Schema): string | undefined =>
  textOf(listOf(examples)[0]) ?? textOf(usual)

/** A form field for one parameter. The browser checks the limits of its JSON Schema before sending. */
export function Field({ at, name, required, description, schema: given, value }: FieldProps): VNode {
  const schema = isObject(given) ? given : {}
  const [id, choices] = [`p${at}`, choicesOf(schema)]
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number'
  const common = { id, name: id, value, required, placeholder: exampleOf(schema), 'aria-describedby': `${id}-hint` }
  return (
    <>
      <label for={id}>
        {name}
        {required && (
          <>
            {' '}
            <small>required</small>
          </>
        )}
      </label>
      {choices.length > 0 ? (
        <select id={id} name={id} required={required} aria-describedby={`${id}-hint`}>
          {!required && <option value="">any</option>}
          {choices.map(one => (
            <option value={one} selected={one === value}>
              {one}
            </option>
          ))}
        </select>
      ) : isNumber ? (
        <input type="number" {...common} min={numberOf(schema['minimum'])} max={numberOf(schema['maximum'])} />
      ) : (
        <input
          type="text"
          {...common}
          minLength={numberOf(schema['minLength'])}
          maxLength={numberOf(schema['maxLength'])}
        />
      )}
      <small id={`${id}-hint`}>{description}</small>
    </>
  )
}
