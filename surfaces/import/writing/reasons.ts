/** Quarantine reasons of rows that could be mapped; a row that could not carries the mapper's own. */
export const repeatedRow = 'Another row of this source has the same id, and both say the same of what is kept.'
export const repeatedId = 'Another row of this source has the same id, and the two differ.'
export const takenSku = 'Another row of this source has the same SKU.'
