/** A condition that an upstream sets for the use of its data. */
type UpstreamCondition = Readonly<{
  /** Prose that states the condition. */
  asks: string
  /** Prose that says when and how the condition was met; without it an import needs the word of the operator. */
  met?: string
}>

/**
 * The rights that the rows of a source may have: not asserted, or governed by the upstream's policy. Neither is a
 * permission.
 */
export const payloadTiers = ['NOASSERTION', 'proprietary'] as const

/** What an entry of the corpus `sources` says of the source itself; the schema of the corpus documents each field. */
export type RegisteredSource = Readonly<{
  id: string
  label: string
  games: readonly string[]
  languages: readonly string[]
  upstream: Readonly<{
    name: string
    url?: string
    package?: string
    version?: string
    commit?: string
    committed_on?: string
  }>
  license: string | null
  license_statement: string
  payload_rights: (typeof payloadTiers)[number]
  source_license: string
  access: 'wired' | 'planned' | 'blocked'
  access_reason: string
  /** Where a wired source's files come from: a package, or a folder given at import. */
  where?: 'package' | 'folder'
  conditions?: readonly UpstreamCondition[]
  cadence: string
  freshness_budget_seconds: number
}>

/** The reason that is given when there is no data of a wired source. */
export const neverRun = 'No import of the source has succeeded here.'

/** Returns the upstream's conditions that are not met yet. */
export const openConditions = ({ conditions = [] }: RegisteredSource): string[] =>
  conditions.filter(({ met }) => met === undefined).map(({ asks }) => asks)

/** Returns the reason why there is no data of a source. */
export function noDataReasonOf(source: RegisteredSource): string {
  if (source.access !== 'wired') return `Its access is \`${source.access}\`. ${source.access_reason}`
  const [asked] = openConditions(source)
  return asked === undefined ? neverRun : `${neverRun} Its upstream asks for something first: ${asked}`
}
