import { join } from 'node:path'
import { packageFolder } from '../../../bin/roots.ts'
import { loadCorpus } from '../../../core/corpus/load-corpus.ts'
import { readFolder } from '../../../core/source/read-folder.ts'
import checks from '../../../surfaces/checks.ts'
import { GameDirectory, type Game } from '../../../surfaces/search/game-directory.ts'

/** The games as the service loads them: through the corpus, its schema and its check. */
export function declaredGames (): GameDirectory {
  const { files } = readFolder(join(packageFolder, 'corpora'), 'games')
  const { loaded, diagnostics } = loadCorpus('pantry', 'corpora/games', 'games', new Map(files.map(file => [file.name, file])), checks['games'])
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ file, span, message }) => `${file}:${span.line} ${message}`).join('\n'))
  return new GameDirectory((loaded?.corpus.entries ?? []) as unknown as Game[])
}
