import type { DataOf } from 'pantry/data'
import { cadences, type Cadence, type Metrics } from './schemas.ts'

/** What a party has published; `undefined` for each part that it has not. */
export type Published = Readonly<{ have?: ReadonlySet<string>, want?: ReadonlySet<string>, languages?: ReadonlySet<string>, region?: string, cadence?: Cadence }>

type Measured<Value> = Readonly<{ value: Value | null, reason: 'not_published' | 'nothing_to_compare' | null, formula: string }>

const round = (value: number): number => Math.round(value * 10_000) / 10_000
const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] => [...a].filter(one => b.has(one))

/** A metric of two parts that both must have published. `null` of `measure`: there is nothing to compare. */
function measured<Part, Value> (formula: string, a: Part | undefined, b: Part | undefined, measure: (a: Part, b: Part) => Value | null): Measured<Value> {
  if (a === undefined || b === undefined) return { value: null, reason: 'not_published', formula }
  const value = measure(a, b)
  return { value, reason: value === null ? 'nothing_to_compare' : null, formula }
}

function jaccard (a: ReadonlySet<string>, b: ReadonlySet<string>): number | null {
  const all = new Set([...a, ...b]).size
  return all === 0 ? null : round(shared(a, b).length / all)
}

const count = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => shared(a, b).length

/** What each part of the score weighs. */
const weights = { portfolio_jaccard: 0.35, wishlist_jaccard: 0.15, language_jaccard: 0.2, region_match: 0.15, cadence_ratio: 0.15 } as const

/** The metrics of two parties. */
export function bridgeOf (a: Published, b: Published): DataOf<typeof Metrics> {
  const [aWants, bWants] = [measured('|want(A) ∩ have(B)|', a.want, b.have, count), measured('|want(B) ∩ have(A)|', b.want, a.have, count)]
  const metrics = {
    portfolio_jaccard: measured('|have(A) ∩ have(B)| / |have(A) ∪ have(B)|', a.have, b.have, jaccard),
    portfolio_shared_count: measured('|have(A) ∩ have(B)|', a.have, b.have, count),
    wishlist_jaccard: measured('|want(A) ∩ want(B)| / |want(A) ∪ want(B)|', a.want, b.want, jaccard),
    a_wants_from_b: aWants,
    b_wants_from_a: bWants,
    trade_potential: measured('a_wants_from_b + b_wants_from_a', aWants.value ?? undefined, bWants.value ?? undefined, (one, other) => one + other),
    language_jaccard: measured('|languages(A) ∩ languages(B)| / |languages(A) ∪ languages(B)|', a.languages, b.languages, jaccard),
    shared_languages: measured('languages(A) ∩ languages(B)', a.languages, b.languages, (one, other) => [...shared(one, other)].sort()),
    region_match: measured('region(A) = region(B)', a.region, b.region, (one, other): 'same' | 'different' => one === other ? 'same' : 'different'),
    cadence_ratio: measured('the shorter of the hours to an answer / the longer', a.cadence, b.cadence, (one, other) => round(Math.min(cadences[one], cadences[other]) / Math.max(cadences[one], cadences[other])))
  }
  const parts = Object.entries(weights).flatMap(([name, weight]) => {
    const { value } = metrics[name as keyof typeof weights]
    return value === null ? [] : [{ weight, value: typeof value === 'number' ? value : value === 'same' ? 1 : 0 }]
  })
  const weight = parts.reduce((sum, part) => sum + part.weight, 0)
  const score = weight === 0 ? null : round(parts.reduce((sum, part) => sum + part.weight * part.value, 0) / weight)
  const formula = `mean of what has a value, weighted: ${Object.entries(weights).map(([name, share]) => `${name} ${share}`).join(', ')}; a region counts 1 where it is the same`
  return { ...metrics, bridge_score: { value: score, reason: score === null ? 'not_published' : null, formula } }
}
