/** The catalogue entry of one code. `wrong` and `right` are short YAML (or, for handlers, TypeScript) examples. */
export type CatalogEntry = Readonly<{
  title: string
  severity: 'error' | 'warning'
  explain: string
  wrong: string
  right: string
  /** The version that dropped the code. Codes are permanent, so it stays in the catalogue. */
  retired?: string
}>

const entryWith =
  (severity: CatalogEntry['severity']) =>
  (title: string, explain: string, wrong: string, right: string): CatalogEntry => ({
    title,
    severity,
    explain,
    wrong,
    right
  })

export const error = entryWith('error')
export const warning = entryWith('warning')
