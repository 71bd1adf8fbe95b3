/** The catalogue entry of one code. `wrong` and `right` are short YAML (or, for handlers, TypeScript) examples. */
export type CatalogEntry = Readonly<{
  title: string
  severity: 'error' | 'warning'
  explain: string
  wrong: string
  right: string
  /**
   * The version that dropped the code. Codes are permanent, so one that is no longer reported stays in the catalogue.
   */
  retired?: string
}>

export const error = (title: string, explain: string, wrong: string, right: string): CatalogEntry => ({
  title,
  severity: 'error',
  explain,
  wrong,
  right
})

export const warning = (title: string, explain: string, wrong: string, right: string): CatalogEntry => ({
  title,
  severity: 'warning',
  explain,
  wrong,
  right
})
