import type { Corpus } from './corpus.ts'

/** Returns the corpora that code declares, by name. The registry has checked that they exist and match. */
export const declaredCorpora = (
  declared: object | undefined,
  corpora: ReadonlyMap<string, Corpus>
): Readonly<Record<string, Corpus>> =>
  Object.fromEntries(
    Object.keys(declared ?? {}).map(name => {
      const corpus = corpora.get(name)
      if (corpus === undefined) throw new Error(`Not checked before it was used: corpus ${name}.`)
      return [name, corpus]
    })
  )
