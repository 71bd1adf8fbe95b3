/**
 * How often something random is tried: a tenth, unless the run is a long one (`npm run test:long`, `.ci/run`). The seeds of fast-check differ
 * from run to run, so many short runs try as much as one long one. A test that calls this is in both tiers.
 */
export const times = (inLongRuns: number): number => process.env['PANTRY_TEST_EFFORT'] === 'long' ? inLongRuns : Math.ceil(inLongRuns / 10)
