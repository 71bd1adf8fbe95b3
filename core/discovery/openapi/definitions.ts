import { isObject, type JsonObject } from '../../canonical/json.ts'
import { referencesIn } from '../plain-schema.ts'
import { definitionName } from '../../schema/definitions.ts'
import { mapSchemas } from '../../schema/map-schemas.ts'
import { declaredName, freeName, pascal } from './names.ts'

/** Returns the text of a definition with all definitions that it refers to: equal texts are equal schemas. */
function wholeText(name: string, definitions: JsonObject): string {
  const names = new Set([name])
  for (const one of names) for (const other of referencesIn(definitions[one])) names.add(other)
  return JSON.stringify([...names].map(one => [one, definitions[one]]))
}

/** Moves the `$defs` of schemas, which are recursive, to components; equal ones of several schemas are one. */
export class Definitions {
  /** The schemas of components by name. */
  readonly components = new Map<string, JsonObject>()
  readonly #byText = new Map<string, string>()
  readonly #taken: Set<string>

  constructor(taken: Set<string>) {
    this.#taken = taken
  }

  /** Returns a schema without `$defs`, whose references lead to components. */
  lift(schema: JsonObject, around: JsonObject = {}): JsonObject {
    const { $defs, ...rest } = schema
    const definitions = isObject($defs) ? $defs : around
    const lifted = mapSchemas(rest, inner => this.lift(inner, definitions))
    const name = definitionName(schema)
    return name === undefined ? lifted : { ...lifted, $ref: `#/components/schemas/${this.#nameOf(name, definitions)}` }
  }

  #nameOf(definition: string, definitions: JsonObject): string {
    const text = wholeText(definition, definitions)
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    const schema = definitions[definition] as JsonObject
    const name = freeName([declaredName(schema) ?? pascal(definition.replace(/\d+$/, ''))], this.#taken)
    this.#byText.set(text, name)
    this.components.set(name, schema)
    this.components.set(name, this.lift(schema, definitions))
    return name
  }
}
