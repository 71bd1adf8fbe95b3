import type { HandlerShape, ManifestFile } from '../../manifest/kind.ts'
import type { AnswerFacts } from '../../manifest/surface.ts'
import { parseTarget, valuesOf, type Target } from '../../manifest/paths.ts'
import type { FormManifest, PageManifest } from './manifest.ts'

/** A request of a page to a surface, with the name that the view uses for it. */
export type Asks = Readonly<{ name: string; target: Target }>

export type PageAnswer = Readonly<{
  /** The id of the page. */
  code: string
  shows: readonly Asks[]
  besides: readonly Asks[]
  /** Of a form: its name, where it is sent, and the path of its page. */
  form: Readonly<{ name: string; sends: Asks; back: Target }> | undefined
  menu: PageManifest['menu']
}>

/** Parses the targets. Invalid ones are skipped, because `checkTargets` reports them. */
const asksOf = (targets: Readonly<Record<string, string>> = {}): Asks[] =>
  Object.entries(targets).flatMap(([name, text]) => {
    const target = parseTarget(text)
    return target === undefined ? [] : [{ name, target }]
  })

/** Of what a page asks, that which a form reads: its view, and the path that it is sent to. */
const readBy = (
  asks: readonly Asks[],
  shape: HandlerShape['shows'] = {},
  form: PageAnswer['form']
): readonly Asks[] => {
  if (form === undefined) return asks
  const inPath = valuesOf(form.sends.target).map(value => value.split('.')[0])
  return asks.filter(({ name }) => Object.hasOwn(shape, name) || inPath.includes(name))
}

const formOf = ({ name, sends, back }: FormManifest): PageAnswer['form'] => {
  const [target] = asksOf({ sends })
  const [page] = asksOf({ back })
  return target === undefined || page === undefined ? undefined : { name, sends: target, back: page.target }
}

export function answerOf(
  { id, formOf: page, manifest }: ManifestFile<PageManifest | FormManifest>,
  { shows, besides }: Pick<HandlerShape, 'shows' | 'besides'> = {}
): PageAnswer {
  const form = 'sends' in manifest ? formOf(manifest) : undefined
  return {
    code: page ?? id,
    shows: readBy(asksOf(manifest.shows), shows, form),
    besides: readBy(asksOf(manifest.besides), besides, form),
    form,
    menu: manifest.menu
  }
}

export const asked = ({ shows, besides }: PageAnswer): Asks[] => [...shows, ...besides]

export const factsOf = ({ code, shows, besides, form, menu }: PageAnswer): Partial<AnswerFacts> => ({
  code,
  page: {
    shows: shows.map(({ target }) => target),
    besides: besides.map(({ target }) => target),
    ...(form === undefined ? {} : { sends: form.sends.target }),
    ...(menu === undefined ? {} : { menu })
  }
})
