/**
 * Words of the service that is in this repository. The framework knows none of them; an underscore hides none. The name
 * of a property that other services read, `twitter:card`, is none of them.
 */
const words =
  /(?<![a-z]|twitter:)(cards?|tcg|games?|skus?|auctions?|decks?|boosters?|collectors?|printings?|rarit(y|ies)|prices?|pokemon|xenoform|cosmolog(y|ies)|doctrines?|kingdoms?|embassy|storefronts?|wholesale|koans?|tarot|draws?|sign[-_ ]?ups?|smtp)(?![a-z])/i

/** The first such word of a text. */
export const domainWord = (text: string): string | undefined => words.exec(text)?.[0]
