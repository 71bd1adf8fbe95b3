import type { JsonSchema, JsonValue } from '../../../canonical/json.ts'

/** A value as a caller may send it. */
export type Wanted = string | number | boolean

/**
 * How a filter compares a query value with a field of an entry. A new operator is a file in this folder and a line in
 * `list.ts`. It sees one value at a time: of a field that is a list, each item.
 */
export type Operator = Readonly<{
  name: string
  /** What it means, for the hover of the editor. */
  meaning: string
  /** What a field must be, for a hint. */
  needs: string
  /** Whether it can compare values of this schema. */
  fits: (value: JsonSchema) => boolean
  /** Schema of the query parameter. `field` is the name of the field. */
  parameter: (field: string, value: JsonSchema) => JsonSchema
  meets: (value: JsonValue | undefined, wanted: Wanted) => boolean
  /** Words that the answer lists as its vocabulary, where the field has a closed list. */
  words?: (value: JsonSchema) => readonly string[] | undefined
  /** True when it compares dates: the answer then says where its entries begin. */
  dated?: boolean
}>
