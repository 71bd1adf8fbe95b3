import { packageFolder } from '../../../../bin/roots.ts'
import { loadOneCorpus } from '../../../../core/corpus/load.ts'
import { GameDirectory, type Game } from '../../../../surfaces/cards/games.ts'
import checks from '../../../../surfaces/checks.ts'

/** The games as the service loads them: through the corpus, its schema and its check. */
export function declaredGames(): GameDirectory {
  const { loaded, diagnostics = [] } = loadOneCorpus('pantry', packageFolder, 'games', checks) ?? {}
  if (diagnostics.length > 0)
    throw new Error(diagnostics.map(({ file, span, message }) => `${file}:${span.line} ${message}`).join('\n'))
  return new GameDirectory((loaded?.corpus.entries ?? []) as unknown as Game[])
}
