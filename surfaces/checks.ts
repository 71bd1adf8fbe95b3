import type { CorpusChecks } from 'pantry/data'
import { checkGame } from './cards/games.ts'
import { checkAttribute, checkSource } from './import/checks/check-source.ts'

/**
 * Checks of corpora that a schema cannot express, by corpus. They run wherever the files of a corpus are read, as by
 * `pantry validate`.
 */
const checks: CorpusChecks = { attributes: checkAttribute, games: checkGame, sources: checkSource }

export default checks
