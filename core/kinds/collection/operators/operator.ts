import type { JsonSchema, JsonValue } from '../../../canonical/json.ts'

/** A value that a caller may send. */
type AskedValue = string | number | boolean

/**
 * How a filter compares a query value with a field of an entry. A new operator needs a file in this folder and a line
 * in `list.ts`. It compares one value at a time; for a field that is a list, each item.
 */
export type Operator = Readonly<{
  name: string
  /** What it means; editors show it on hover. */
  meaning: string
  /** What the field must be; part of a hint. */
  needs: string
  /** Whether the operator can compare values of this schema. */
  fits: (value: JsonSchema) => boolean
  /** Returns the schema of the query parameter. `field` is the name of the field. */
  parameter: (field: string, value: JsonSchema) => JsonSchema
  meets: (value: JsonValue | undefined, wanted: AskedValue) => boolean
  /** Returns the words for `filter_vocabulary` in the answer, if the field has a closed list. */
  words?: (value: JsonSchema) => readonly string[] | undefined
  /** True if it compares dates: `scope.begins` in the answer is then the date of the oldest entry. */
  dated?: boolean
}>
