import type { JsonValue } from '../../core/canonical/json.ts'
import type { ClaimedText } from '../../core/registry/claims.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { readYaml } from '../../core/source/read-yaml.ts'

type Check = Readonly<{
  path: string
  query?: string
  status: number
  member?: readonly string[]
  holds?: JsonValue
  lacks?: true
}>
export type Gap = Readonly<{ id: string; name: string; status: string; check: Check }>

/** The checks of the ledger of gaps, as claims that their names make. */
export const gapClaims = ({ corpora }: Registry): readonly ClaimedText[] =>
  ((corpora.get('gaps')?.entries ?? []) as unknown as readonly Gap[]).map(
    ({ id, name, check: { path, query, status, member = [], holds, lacks } }) => {
      const pointer = member.map(one => `/${one.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
      return {
        id: `corpora/gaps/${id}`,
        value: { name },
        source: readYaml(`corpora/gaps/${id}`, new TextEncoder().encode('[{}]')),
        claims: [
          {
            says: name,
            path: query === undefined ? path : `${path}?${query}`,
            status,
            ...(member.length === 0 ? {} : lacks === true ? { lacks: [pointer] } : { shows: { [pointer]: holds } })
          }
        ]
      }
    }
  )
