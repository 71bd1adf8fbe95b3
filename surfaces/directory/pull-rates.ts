import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalCode } from '../catalogue/set-code.ts'
import { packageFolder } from '../import/reading/find-files.ts'
import type { Source } from '../import/source.ts'

/** Chances in percent by rarity code. */
type Chances = Readonly<Record<string, number>>

/** A kind of pack: its probability, and the chances for each place in it. */
export type Pack = Readonly<{
  name: string
  share_percent: number
  cards: number
  slots: readonly Readonly<{ slot: string; chances_percent: Chances }>[]
}>
type SetRates = Readonly<{ set_code: string; printed_code: string; packs: readonly Pack[] }>
export type PullRates = Readonly<{ rarities: Readonly<Record<string, string>>; sets: readonly SetRates[] }>

type UpstreamPack = Readonly<{ appearance_rate: number; cards: number; slots: Readonly<Record<string, Chances>> }>

const read = (folder: string, file: string): unknown => JSON.parse(readFileSync(join(folder, 'dist', file), 'utf8'))

/**
 * Reads the pull rates from the package `pokemon-tcg-pocket-database`: `dist/pullRates.json`, by set, pack and place,
 * and the names of the rarities. Other data is not read. Throws when a figure is not a percentage.
 */
export function readPullRates(folder: string): PullRates {
  const sets = Object.entries(read(folder, 'pullRates.json') as Record<string, Record<string, UpstreamPack>>)
  const rarities = Object.entries(read(folder, 'rarities.json') as Record<string, Readonly<{ label: string }>>)
  return {
    rarities: Object.fromEntries(rarities.map(([code, { label }]) => [code, label])),
    sets: sets.map(([code, packs]) => ({
      set_code: canonicalCode(code),
      printed_code: code,
      packs: Object.entries(packs).map(([name, pack]) => packOf(name, pack))
    }))
  }
}

/** Reads the pull rates from a source's package. */
export const ratesOf = ({ upstream }: Source): PullRates =>
  readPullRates(packageFolder(upstream.package ?? '', import.meta.url))

const packOf = (name: string, pack: UpstreamPack): Pack => ({
  name,
  share_percent: percent(pack.appearance_rate),
  cards: pack.cards,
  slots: Object.entries(pack.slots).map(([slot, chances]) => ({
    slot,
    chances_percent: Object.fromEntries(Object.entries(chances).map(([rarity, chance]) => [rarity, percent(chance)]))
  }))
})

function percent(value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 100))
    throw new Error(`\`${String(value)}\` is no percentage.`)
  return value
}
