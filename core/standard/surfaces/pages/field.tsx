import { isObject, type JsonSchema } from 'pantry/data'
import type { VNode } from 'pantry/page'
import type { Saying } from './answer.tsx'

/** What a field says. */
export const fieldTexts = { required: 'required', any: 'any' } as const

type FieldProps = Readonly<{
  at: number
  name: string
  required: boolean
  description: string
  schema: unknown
  value: string
}> &
  Saying<typeof fieldTexts>

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

/** Returns the values that a schema allows, as texts, if it lists them; otherwise an empty list. */
function choicesOf({ enum: values, const: only, type, anyOf }: JsonSchema): readonly string[] {
  if (only !== undefined) return [textOf(only) ?? '']
  if (type === 'boolean') return ['true', 'false']
  return [...listOf(values).flatMap(value => textOf(value) ?? []), ...listOf(anyOf).filter(isObject).flatMap(choicesOf)]
}

/** A form field for one parameter. Before sending, the browser checks the choices, lengths and limits of its schema. */
export function Field({ at, name, required, description, schema: given, value, texts }: FieldProps): VNode {
  const schema = isObject(given) ? given : {}
  const [id, choices] = [`p${at}`, choicesOf(schema)]
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number'
  const placeholder = textOf(listOf(schema['examples'])[0]) ?? textOf(schema['default'])
  const hint = `${id}-hint`
  const input = { id, name: id, value, required, placeholder, 'aria-describedby': hint }
  return (
    <>
      <label for={id}>
        {name}
        {required && (
          <>
            {' '}
            <small>{texts.required}</small>
          </>
        )}
      </label>
      {choices.length > 0 ? (
        <select id={id} name={id} required={required} aria-describedby={hint}>
          {!required && <option value="">{texts.any}</option>}
          {choices.map(choice => (
            <option value={choice} selected={choice === value}>
              {choice}
            </option>
          ))}
        </select>
      ) : isNumber ? (
        <input type="number" {...input} min={numberOf(schema['minimum'])} max={numberOf(schema['maximum'])} />
      ) : (
        <input
          type="text"
          {...input}
          minLength={numberOf(schema['minLength'])}
          maxLength={numberOf(schema['maxLength'])}
        />
      )}
      <small id={hint}>{description}</small>
    </>
  )
}
