import { reply } from 'pantry/handler'
import { personOf } from '../../accounts/own.ts'
import { mostCards } from '../../collectors/lists.ts'
import { Lists } from '../../collectors/schemas.ts'
import { defineHandler } from '../../define.ts'

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
