/** The parts of a validator error that this project uses. */
export type SchemaError = Readonly<{
  keyword: string
  instancePath: string
  schemaPath: string
  params: Readonly<Record<string, unknown>>
  value: unknown
  /** The schema that contains the failing keyword. */
  parent: Readonly<Record<string, unknown>>
}>
