import { memoize } from '../canonical/work.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Theme } from '../manifest/theme.ts'
import { languageOf, type Language } from '../vocabulary/language.ts'
import type { ReadRoot } from './read-root.ts'
import type { Registry } from './registry.ts'

/** Joins the translations of all roots by language. Where two have a text, that of the later root counts. */
export function joinDictionaries(roots: readonly Pick<ReadRoot, 'translations'>[]): Registry['dictionaries'] {
  const joined = new Map<string, Map<string, string>>()
  for (const { tag, texts } of roots.flatMap(({ translations }) => translations)) {
    const dictionary = joined.get(tag) ?? new Map<string, string>()
    for (const [text, translated] of Object.entries(texts)) if (translated !== '') dictionary.set(text, translated)
    joined.set(tag, dictionary)
  }
  return joined
}

const meaningsIn = <Word extends Readonly<{ meaning: string }>>(
  words: Readonly<Record<string, Word>>,
  { textOf }: Language
): Record<string, Word> =>
  Object.fromEntries(Object.entries(words).map(([name, word]) => [name, { ...word, meaning: textOf(word.meaning) }]))

const themeIn = (theme: Theme, { textOf }: Language): Theme =>
  theme.footer === undefined
    ? theme
    : { ...theme, footer: theme.footer.map(({ label, href }) => ({ label: textOf(label), href })) }

const serviceIn = (service: Service, language: Language): Service => ({
  ...service,
  name: language.textOf(service.name),
  summary: language.textOf(service.summary),
  description: language.textOf(service.description),
  theme: themeIn(service.theme, language),
  tags: meaningsIn(service.tags, language),
  tiers: meaningsIn(service.tiers, language),
  freshness: meaningsIn(service.freshness, language),
  sources: meaningsIn(service.sources, language)
})

const surfaceIn = (surface: Surface, { textOf }: Language): Surface => ({
  ...surface,
  title: textOf(surface.title),
  summary: textOf(surface.summary),
  description: textOf(surface.description),
  doesNotInclude: surface.doesNotInclude.map(textOf),
  examples: surface.examples.map(example => ({ ...example, title: textOf(example.title) })),
  ...(surface.page?.menu === undefined
    ? {}
    : { page: { ...surface.page, menu: { ...surface.page.menu, label: textOf(surface.page.menu.label) } } })
})

function translate(registry: Registry, tag: string): Registry {
  const language = languageOf(tag, registry.dictionaries.get(tag) ?? new Map())
  const surfaces = Object.freeze(registry.surfaces.map(surface => surfaceIn(surface, language)))
  return Object.freeze({
    ...registry,
    language,
    service: serviceIn(registry.service, language),
    surfaces,
    byId: new Map(surfaces.map(surface => [surface.id, surface]))
  })
}

const translated = memoize((registry: Registry) => {
  const [, ...others] = registry.service.languages
  return new Map(others.map(tag => [tag, translate(registry, tag)]))
})

/**
 * Returns the registry with the texts for people in one language of the service; in its default language for any other
 * tag. Each language is made once for a registry.
 */
export const inLanguage = (registry: Registry, tag: string | undefined): Registry =>
  (tag === undefined ? undefined : translated(registry).get(tag)) ?? registry
