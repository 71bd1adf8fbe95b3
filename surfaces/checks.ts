import type { CorpusChecks } from 'pantry/data'
import { checkGame } from './cards/games.ts'
import { checkAttribute, checkSource } from './import/checks/check-source.ts'

/** Corpus checks that a schema cannot express. `pantry validate` and the start of the server run them. */
const checks: CorpusChecks = { attributes: checkAttribute, games: checkGame, sources: checkSource }

export default checks
