import type { CorpusChecks } from '../core/corpus/check.ts'
import { checkSource } from './sources/check-source.ts'

/** What `pantry validate` and the server's start check beyond the schemas of the corpora. */
const checks: CorpusChecks = { sources: checkSource }

export default checks
