/** Key of the advisory lock of whoever writes cards, in all processes: imports and the refresh of documents take turns. The number only has to be our own. */
export const cardsLock = 7_241_953_006
