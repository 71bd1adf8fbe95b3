import { isObject, type JsonSchema } from '../../canonical/json.ts'
import { accessTable, agentWithScope } from '../../access/index.ts'
import { canonicalTag } from '../../corpus/entry-files.ts'
import { quotedList, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestionHint } from '../../diagnostics/suggest.ts'
import { humanise } from '../../format/format.ts'
import { defaultMeanings } from '../../manifest/service-defaults.ts'
import { isForPrograms, type Surface } from '../../manifest/surface.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { report, reportFile, type Pointer } from '../../source/report.ts'
import { frameworkLanguage, isDescription } from '../../vocabulary/language.ts'
import { frameworkTexts } from '../../vocabulary/texts.ts'
import type { Draft, SurfaceRule } from '../draft.ts'
import { isStandard, type Registry } from '../registry.ts'

/** A text that people read, and where it was written: a field of `service.yaml`, or the id of a surface and a field. */
type ReadText = Readonly<{ text: string; isOfFramework: boolean; surface?: string; at: Pointer }>

/** The names of all members that a schema describes, also of those within others. */
function memberNames(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(memberNames)
  if (!isObject(schema)) return []
  const { properties, ...others } = schema as JsonSchema
  const own = isObject(properties) ? Object.entries(properties) : []
  const within = [...own.map(([, member]) => member), ...Object.values(others)]
  return [...own.map(([name]) => name), ...within.flatMap(memberNames)]
}

type Declared = Pick<Registry, 'service' | 'surfaces' | 'forms' | 'corpora'>

/** The descriptions of the members of a schema; `isWhole`: also of those within others. */
function descriptionsIn(schema: unknown, isWhole = false): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(one => descriptionsIn(one, isWhole))
  if (!isObject(schema)) return []
  const { properties, $defs, definitions, ...others } = schema as JsonSchema
  const own = [properties, $defs, definitions].flatMap(named => (isObject(named) ? Object.values(named) : []))
  const said = own.flatMap(member =>
    isObject(member) && typeof member['description'] === 'string' ? [member['description']] : []
  )
  return isWhole ? [...said, ...[...own, ...Object.values(others)].flatMap(one => descriptionsIn(one, true))] : said
}

/** Returns what the explorer shows of a surface in detail. Descriptions of the framework's kinds are not of it. */
function textsExplained({ description, doesNotInclude, examples, input, output }: Surface): readonly string[] {
  const { params, query, body } = input
  const members = [
    ...descriptionsIn(params),
    ...descriptionsIn(query),
    ...descriptionsIn({ properties: { body: body?.schema ?? {} } }),
    ...descriptionsIn(output, true)
  ]
  return [
    description,
    ...doesNotInclude,
    ...examples.map(({ title }) => title),
    ...members.filter(text => !isDescription(text))
  ]
}

const isReference = ([, schema]: readonly [string, JsonSchema]): boolean => schema['x-corpus'] !== undefined

/** Returns what pages show of a surface. `isExplained`: whether the explorer shows it. */
function textsOfSurface(surface: Surface, isExplained: boolean, { corpora }: Declared): readonly ReadText[] {
  const { id, page, shows, output, formats, title, summary, texts = {}, input } = surface
  const isShown = page === undefined && formats.includes('html')
  const schema = corpora.get(shows?.corpus ?? '')?.schema ?? output
  // By these a page of an entry names the list of the entries that name it.
  const naming = shows?.as === 'list' ? Object.entries(propertiesOf(input.query)).filter(isReference) : []
  const found: readonly (readonly [Pointer, readonly string[]])[] = [
    [['title'], isShown || naming.length > 0 ? [title] : []],
    [['filters'], naming.map(([name]) => humanise(name))],
    [['summary'], isShown || isExplained || page !== undefined ? [summary] : []],
    [['menu', 'label'], page?.menu === undefined ? [] : [page.menu.label]],
    [['formats'], isShown ? memberNames(schema).map(humanise) : []],
    [[], Object.values(texts)],
    [[], isExplained ? textsExplained(surface) : []]
  ]
  return found.flatMap(([at, all]) =>
    all.map(text => ({ text, isOfFramework: isStandard(surface), surface: surface.formOf ?? id, at }))
  )
}

const described = ['tags', 'tiers', 'freshness', 'sources'] as const

/** Returns the texts of a service that people read on its pages and in its messages, each once. */
export function textsRead(declared: Declared): readonly ReadText[] {
  const { service, surfaces, forms } = declared
  const explains = surfaces.some(({ serves }) => serves === 'explorer')
  const names = (['name', 'summary', 'description'] as const).map(name => ({
    text: service[name],
    isOfFramework: false,
    at: [name]
  }))
  const footer = (service.theme.footer ?? []).map(({ label }, index) => ({
    text: label,
    isOfFramework: false,
    at: ['theme', 'footer', index, 'label']
  }))
  const meanings = described.flatMap(list =>
    Object.entries(service[list]).map(([word, { meaning }]) => ({
      text: meaning,
      isOfFramework: defaultMeanings.has(meaning),
      at: [list, word, 'meaning']
    }))
  )
  const kinds = Object.entries(accessTable(service.access)).map(([kind, { meaning }]) => ({
    text: meaning,
    isOfFramework: !Object.hasOwn(service.access, kind),
    at: ['access', kind, 'meaning']
  }))
  const codes = Object.entries(service.errors).map(([code, { meaning }]) => ({
    text: meaning,
    isOfFramework: false,
    at: ['errors', code, 'meaning']
  }))
  const all: readonly ReadText[] = [
    ...names,
    ...footer,
    ...(explains ? meanings : []),
    ...(surfaces.some(({ serves }) => serves === 'diagnostic') ? codes : []),
    ...[...surfaces, ...forms].flatMap(surface =>
      textsOfSurface(surface, explains && isForPrograms(surface) && surface.formOf === undefined, declared)
    ),
    ...[agentWithScope, ...frameworkTexts].map(text => ({ text, isOfFramework: true, at: [] })),
    ...kinds
  ]
  return [...new Map(all.filter(({ text }) => text !== '').map(one => [one.text, one])).values()]
}

/** Returns the texts that a language of a service lacks: its own in another language, and those of the framework. */
export const textsMissing = (
  texts: readonly ReadText[],
  tag: string,
  [first]: readonly string[],
  dictionary: ReadonlyMap<string, string> = new Map()
): readonly ReadText[] =>
  texts.filter(
    ({ text, isOfFramework }) =>
      tag !== (isOfFramework ? frameworkLanguage : first) && (dictionary.get(text) ?? '') === ''
  )

const maxNamed = 3
const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)

/**
 * M441: languages have valid tags, and each file of translations is in one of the service. M442: each text is
 * translated. M443: each translation is of a text.
 */
export const completeTranslations: SurfaceRule = function* (all, draft) {
  const { service, serviceSource, translations, corpora } = draft
  const { languages } = service
  for (const [index, tag] of languages.entries())
    if (canonicalTag(tag) !== tag)
      yield report(serviceSource, 'M441', ['languages', index], `\`${tag}\` is not the tag of a language.`, {
        hint: 'Write a tag such as `en`, `de` or `pt-BR`.'
      })
  for (const { tag, source } of translations.own)
    if (!languages.includes(tag))
      yield reportFile(
        source.file,
        'M441',
        `The service does not declare the language \`${tag}\`.`,
        `Add it to \`languages\` in \`service.yaml\`, which has ${quotedList(languages)}, or remove the file.`
      )
  if (languages.length === 1 && languages[0] === frameworkLanguage) return
  const surfaces = all.map(({ surface }) => surface)
  const declared = {
    service,
    surfaces: surfaces.filter(({ formOf }) => formOf === undefined),
    forms: surfaces.filter(({ formOf }) => formOf !== undefined),
    corpora: new Map([...corpora].map(([name, { corpus }]) => [name, corpus]))
  }
  const texts = textsRead(declared)
  const sources = new Map(all.map(({ surface, file }) => [surface.id, file.source]))
  for (const [index, tag] of languages.entries()) {
    if (canonicalTag(tag) !== tag) continue
    const cure = { hint: `\`pantry translations ${tag}\` writes what is missing into \`translations/${tag}.yaml\`.` }
    const missing = textsMissing(texts, tag, languages, translations.joined.get(tag))
    const ofFramework = missing.filter(({ isOfFramework }) => isOfFramework)
    if (ofFramework.length > 0) {
      const named = quotedList(ofFramework.slice(0, maxNamed).map(({ text }) => shorten(text)))
      const more = ofFramework.length > maxNamed ? ` and ${ofFramework.length - maxNamed} more` : ''
      const message = `In \`${tag}\` there is no text of the framework for ${named}${more}.`
      yield report(serviceSource, 'M442', ['languages', index], message, cure)
    }
    for (const { text, surface, at } of missing.filter(({ isOfFramework }) => !isOfFramework))
      yield report(
        sources.get(surface ?? '') ?? serviceSource,
        'M442',
        at,
        `In \`${tag}\` there is no text for \`${shorten(text)}\`.`,
        cure
      )
  }
  // A file that cannot be read may say what nothing else says.
  if (!isWhole(all, draft)) return
  const known = new Set(texts.map(({ text }) => text))
  for (const { source, texts: written } of translations.own)
    for (const text of Object.keys(written).filter(text => !known.has(text))) yield unused(source, text, [...known])
}

/** Tells whether all files of the roots were read. */
function isWhole(all: Parameters<SurfaceRule>[0], { names, corpora, documents, handlers }: Draft): boolean {
  const surfaces = new Set(all.map(({ surface }) => surface.id))
  return (
    [...names.surfaces].every(id => surfaces.has(id)) &&
    [...names.corpora].every(name => corpora.has(name)) &&
    [...names.documents].every(name => documents.has(name)) &&
    [...names.handlers].every(id => handlers.has(id))
  )
}

const unused = (source: Parameters<typeof report>[0], text: string, known: readonly string[]): Diagnostic =>
  report(source, 'M443', [text], `Nothing says \`${shorten(text)}\`.`, {
    on: 'key',
    hint: suggestionHint(text, known) ?? 'Remove it.'
  })
