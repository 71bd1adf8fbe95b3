import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { mostCards } from '../../people/card-lists.ts'
import { Lists } from '../../people/collector-schemas.ts'

/** Returns the caller's lists with the names of the cards. */
export default defineHandler({
  reply: Lists,
  async handle({ caller }, { cardLists, catalogue }) {
    const cards = await cardLists.of(personOf(caller))
    const named = await catalogue.cardsInBrief(cards.map(({ sku }) => sku))
    const shown = cards.map(({ list, sku, quantity }, at) => ({
      list,
      card: { sku, quantity, name: named[at]?.name ?? null }
    }))
    return reply({
      have: shown.filter(({ list }) => list === 'have').map(({ card }) => card),
      want: shown.filter(({ list }) => list === 'want').map(({ card }) => card),
      most: mostCards
    })
  }
})
