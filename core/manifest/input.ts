import type { JsonSchema } from '../canonical/json.ts'
import { propertiesOf, requiredOf } from './entry-fields.ts'
import type { Code } from './kind.ts'
import type { Format } from '../format/index.ts'
import type { Input } from './surface.ts'

/** Returns an object schema for parameters, by name. */
export const parameters = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = []
): JsonSchema => ({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) })

const segment: JsonSchema = { type: 'string', minLength: 1, maxLength: 160 }

/** Returns the schema of the placeholders: the given schemas, and any text of one segment for the others. */
export const segments = (
  placeholders: readonly string[],
  described: Readonly<Record<string, JsonSchema>> = {}
): JsonSchema =>
  parameters({ ...Object.fromEntries(placeholders.map(name => [name, segment])), ...described }, placeholders)

type InputGiven = Readonly<{
  placeholders: readonly string[]
  formats: readonly Format[]
  languages: readonly string[] | undefined
  code: Code | undefined
  own: Partial<Input>
}>

/**
 * Returns the input of a surface: `params` and `query` as object schemas, and the body. A surface with several formats
 * gets the query parameter `format`, one with several languages `lang`. Undeclared parameters are not read.
 */
export function inputOf({ placeholders, formats, languages, code, own }: InputGiven): Input {
  const query = code?.query ?? own.query ?? parameters({})
  const format: JsonSchema = {
    type: 'string',
    enum: formats,
    default: formats[0],
    description: 'Representation of the answer.'
  }
  const lang: JsonSchema = {
    type: 'string',
    enum: languages,
    description: `Language of the answer; goes before \`Accept-Language\`. Without both: ${languages?.[0] ?? ''}.`
  }
  const body = code?.body ?? own.body
  return {
    params: code?.params ?? own.params ?? segments(placeholders),
    query:
      formats.length < 2 && languages === undefined
        ? query
        : parameters(
            {
              ...propertiesOf(query),
              ...(languages === undefined ? {} : { lang }),
              ...(formats.length < 2 ? {} : { format })
            },
            requiredOf(query)
          ),
    ...(body === undefined ? {} : { body }),
    ...(code?.bytes === undefined ? {} : { bytes: code.bytes }),
    ...(code?.files === undefined ? {} : { files: code.files })
  }
}
