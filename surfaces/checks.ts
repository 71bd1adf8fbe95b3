import type { CorpusChecks } from 'pantry/data'
import { checkGame } from './search/check-game.ts'
import { checkAttribute } from './import/checks/check-attributes.ts'
import { checkSource } from './import/checks/check-source.ts'

/** What `pantry validate` and the server's start check beyond the schemas of the corpora. */
const checks: CorpusChecks = { attributes: checkAttribute, games: checkGame, sources: checkSource }

export default checks
