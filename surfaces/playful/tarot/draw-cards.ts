import { Dice } from '../dice.ts'

type DrawnCard<Card> = Readonly<{ card: Card; orientation: 'upright' | 'reversed' }>

/**
 * Draws cards from the top of a shuffled deck (Fisher–Yates), each upright or reversed. The order depends only on the
 * seed, so a larger spread begins with the cards of a smaller one.
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
