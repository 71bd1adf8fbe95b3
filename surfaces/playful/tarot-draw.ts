import { isObject, type JsonValue } from 'pantry/data'
import { Dice } from '../common/dice.ts'

type DrawnCard<Card> = Readonly<{ card: Card; orientation: 'upright' | 'reversed' }>

/**
 * Draws from a shuffled deck (Fisher–Yates). The order depends only on the seed, so a larger spread begins with the
 * cards of a smaller one.
 */
export function drawCards<Card>(deck: readonly Card[], seed: string, count: number): readonly DrawnCard<Card>[] {
  const dice = new Dice(`tarot.draw/1 ${seed}`)
  const pack = [...deck]
  return Array.from({ length: Math.min(count, pack.length) }, () =>
    pack
      .splice(dice.whole(0, pack.length - 1), 1)
      .map((card): DrawnCard<Card> => ({ card, orientation: dice.next() < 0.5 ? 'upright' : 'reversed' }))
  ).flat()
}

/** Returns the list in an enveloped response (by default that of the tarot), or else all of `data`. */
export function subjectOf(body: string, list = 'draws'): JsonValue {
  const { data } = JSON.parse(body) as { data: JsonValue }
  return isObject(data) ? (data[list] ?? data) : data
}
