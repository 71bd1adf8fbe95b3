/**
 * The catalogue entry of one diagnostic code. `wrong` and `right` are short examples in the language of the file,
 * mostly YAML, or file names.
 */
export type CatalogEntry = Readonly<{
  title: string
  severity: 'error' | 'warning'
  explain: string
  wrong: string
  right: string
  /**
   * The version since which the code is no longer reported. Codes are permanent, so the entry stays in the catalogue.
   */
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
