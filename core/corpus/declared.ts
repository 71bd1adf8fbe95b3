import { known } from '../manifest/context.ts'
import type { Corpus } from './corpus.ts'

/** Returns the corpora that code declares, by name. The registry has checked that they exist and match. */
export const declaredCorpora = (
  declared: object | undefined,
  corpora: ReadonlyMap<string, Corpus>
): Readonly<Record<string, Corpus>> =>
  Object.fromEntries(Object.keys(declared ?? {}).map(name => [name, known(corpora.get(name), `corpus ${name}`)]))
