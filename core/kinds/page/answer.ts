import type { AnswerFacts } from '../../manifest/kind.ts'
import type { ManifestFile } from '../../manifest/manifest-file.ts'
import { parseTarget, type Target } from '../../manifest/target.ts'
import type { PageManifest } from './manifest.ts'

/** A request of a page to a surface, with the name that the view uses for it. */
export type Asks = Readonly<{ name: string; target: Target }>

export type PageAnswer = Readonly<{
  code: string
  shows: readonly Asks[]
  besides: readonly Asks[]
  sends: Asks | undefined
  menu: PageManifest['menu']
}>

/** Parses the targets. Invalid ones are skipped, because `checkTargets` reports them. */
const asksOf = (targets: Readonly<Record<string, string>> = {}): Asks[] =>
  Object.entries(targets).flatMap(([name, text]) => {
    const target = parseTarget(text)
    return target === undefined ? [] : [{ name, target }]
  })

export const answerOf = ({ id, manifest }: ManifestFile<PageManifest>): PageAnswer => ({
  code: id,
  shows: asksOf(manifest.shows),
  besides: asksOf(manifest.besides),
  sends: manifest.sends === undefined ? undefined : asksOf({ sends: manifest.sends })[0],
  menu: manifest.menu
})

export const asked = ({ shows, besides, sends }: PageAnswer): Asks[] => [
  ...shows,
  ...besides,
  ...(sends === undefined ? [] : [sends])
]

export const factsOf = ({ code, shows, besides, sends, menu }: PageAnswer): Partial<AnswerFacts> => ({
  code,
  page: {
    shows: shows.map(({ target }) => target),
    besides: besides.map(({ target }) => target),
    ...(sends === undefined ? {} : { sends: sends.target }),
    ...(menu === undefined ? {} : { menu })
  }
})
