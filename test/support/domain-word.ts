/** Words of the service that is in this repository. The framework knows none of them; an underscore hides none. */
const words =
  /(?<![a-z])(cards?|tcg|games?|skus?|auctions?|decks?|boosters?|collectors?|printings?|rarit(y|ies)|prices?|pokemon|xenoform|cosmolog(y|ies)|doctrines?|kingdoms?|embassy|storefronts?|wholesale|koans?|tarot)(?![a-z])/i

/** The first such word of a text. */
export const domainWord = (text: string): string | undefined => words.exec(text)?.[0]
