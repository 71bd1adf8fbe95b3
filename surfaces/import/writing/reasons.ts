/** Quarantine reasons for rows that could be mapped. Other rows have a reason from `compileMap`. */
export const repeatedRow = 'Another row of this source has the same id, and both say the same of what is kept.'
export const repeatedId = 'Another row of this source has the same id, and the two differ.'
export const takenSku = 'Another row of this source has the same SKU.'
