/** What the pages of cards, sets and games say to those who link to them. */
import type { DataOf, JsonObject, PathTo } from 'pantry/data'
import type { Crumb, Sharing } from 'pantry/page'
import type { EverythingSchema } from '../cards/card-answers.ts'
import { languageName } from '../common/words.ts'

type Game = Readonly<{ slug: string; name: string }>
type Set = Readonly<{ code: string; name: string | null; printed_code: string }>
type Card = DataOf<typeof EverythingSchema>['card']

/** Returns the path of the page of a card number, in lower case as sets link to it. */
export const numberPath = (pathTo: PathTo, game: string, set: string, number: string): string =>
  pathTo('pages/prices/card', { game, set, number: number.toLowerCase() })

export const gameCrumb = (pathTo: PathTo, { slug, name }: Game): Crumb => ({
  label: name,
  path: pathTo('pages/prices/game', { game: slug })
})

export const setCrumb = (pathTo: PathTo, slug: string, { code, name, printed_code: printed }: Set): Crumb => ({
  label: name ?? printed,
  path: pathTo('pages/prices/set', { game: slug, set: code })
})

/** Returns the title of the pages of a printing and of its number. */
export const titleOf = ({ name, card_number: number }: Pick<Card, 'name' | 'card_number'>): string =>
  `${name ?? 'Card'} ${number}`

/** Returns the pages above that of a printing: its game, its set and its number. */
export const cardCrumbs = (pathTo: PathTo, game: Game, card: Card): readonly Crumb[] => [
  gameCrumb(pathTo, game),
  setCrumb(pathTo, game.slug, { code: card.set_code, name: card.set_name, printed_code: card.printed_code }),
  { label: card.card_number, path: numberPath(pathTo, game.slug, card.set_code, card.card_number) }
]

const property = (name: string, value: string | null): readonly JsonObject[] =>
  value === null ? [] : [{ '@type': 'PropertyValue', name, value }]

/**
 * Says what a page of a printing is about, as a `Product` of schema.org. It has no offer, price, rating or picture,
 * because none may be published.
 */
export const aboutCard = (card: Card, game: string): NonNullable<Sharing['about']> => ({
  '@type': 'Product',
  name: card.name ?? card.card_number,
  sku: card.sku,
  category: 'Trading card',
  additionalProperty: [
    ...property('Game', game),
    ...property('Set', card.set_name ?? card.printed_code),
    ...property('Number', card.card_number),
    ...property('Rarity', card.rarity),
    ...property('Language', languageName(card.lang)),
    ...property('Variant', card.variant)
  ]
})

/** Returns one sentence on a printing, which no other printing has. */
export const describeCard = (card: Card, game: string): string =>
  `${card.name ?? 'A card'}, number ${card.card_number} of ${card.set_name ?? card.printed_code} (${game}), in ${languageName(card.lang)}${card.variant === null ? '' : `, variant ${card.variant}`}: its printings, facts with their sources, and what members offer.`
