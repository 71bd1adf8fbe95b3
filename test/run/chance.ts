const given = process.env['PANTRY_TEST_SEED'] ?? process.env['PANTRY_TEST_ROUND']

/** Whether a run like this one tries the same again: it has a seed (`--seed`), or is a round of CI. */
export const isRepeatable = given !== undefined

/**
 * The seed of everything that is tried by chance: `--seed`, else the number of the round of CI, so that what a round
 * has found is found again on the same commit; else another one each time.
 */
export const chanceSeed = given === undefined ? Date.now() % 2 ** 31 : Number(given)
