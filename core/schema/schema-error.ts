/** What this project needs to know of one error of the validator. */
export type SchemaError = Readonly<{
  keyword: string
  instancePath: string
  schemaPath: string
  params: Readonly<Record<string, unknown>>
  value: unknown
  /** The schema that holds the failing keyword. */
  parent: Readonly<Record<string, unknown>>
}>
