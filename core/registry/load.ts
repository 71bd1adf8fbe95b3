import { sha256Hex } from '../canonical/json.ts'
import { basePathOf } from '../canonical/url.ts'
import { runSync, memoize, type SlicedWork } from '../canonical/work.ts'
import { hasErrors, sortDiagnostics, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { humanise } from '../format/format.ts'
import { pageIdOf, type Context, type Kind, type ManifestFile } from '../manifest/kind.ts'
import { toSurface } from '../manifest/normalise.ts'
import type { Target } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import { getOrComputeInSlices, type CacheCodec } from '../source/compiled.ts'
import { LoadCache, shownPath, type FolderFile } from '../source/read-folder.ts'
import { frameworkLanguage, languageOf } from '../vocabulary/language.ts'
import { joinAssets } from './assets.ts'
import {
  contextOf,
  referencesOf,
  type Draft,
  type DraftSurface,
  type ReferenceRule,
  type SurfaceRule
} from './draft.ts'
import { joinRoots } from './join-roots.ts'
import { joinServices } from './join-services.ts'
import { movedRegistry } from './place.ts'
import { digestOf, readRoot, withOwnPages, type ReadRoot } from './read-root.ts'
import type { RecordedAnswers } from './recorded-answers.ts'
import { isStandard, type Registry, type Root } from './registry.ts'
import { withChosen } from './standard-choice.ts'
import {
  contentFits,
  corpusReferences,
  entriesInReach,
  knownContent,
  knownMethodology,
  unlinkedKeys,
  unusedContent
} from './rules/content.ts'
import { slashInKeys } from './rules/keys.ts'
import { exampleCallers, exampleExpectations, examplePresent, exampleRequests } from './rules/examples.ts'
import { codeReads, declaredParams, soundFiles, soundHandlers } from './rules/handlers.ts'
import { recordedNames } from './rules/names.ts'
import { formRights, openRights } from './rules/rights.ts'
import {
  knownLocations,
  knownSuccessor,
  knownTools,
  reachableRoutes,
  shownSurfaces,
  uniqueRoutes
} from './rules/routes.ts'
import { completeTranslations } from './rules/translations.ts'
import { enforcedLimits, envelopeMembers, knownWords, offeredFormats, serviceTargets } from './rules/service.ts'
import { ownTexts } from './rules/template.ts'
import { soundTheme } from './rules/theme.ts'

export type { Root }

type LoadOptions = Readonly<{
  /** The roots in load order. The first whose `manifests/service.yaml` has an `id` says which service this is. */
  roots: readonly Root[]
  kinds: readonly Kind[]
  /** Results of earlier loads of the same roots. */
  reuse?: LoadCache
}>

export type Loaded = Readonly<{
  /** The registry of the files; `undefined` if there are errors. */
  registry: Registry | undefined
  /** What could be read despite errors; `undefined` if no service could be read. */
  readable: Registry | undefined
  diagnostics: readonly Diagnostic[]
  /** Remarks about the joined roots, such as unused settings of a joined service. */
  notes: readonly string[]
  /** All files that were read. With `reuse`, the bytes of an unchanged file are the same object as before. */
  files: readonly FolderFile[]
}>

/** Returns the draft without the manifests and handlers that have errors. */
function withoutErrors(draft: Draft, found: readonly Diagnostic[]): Draft {
  const wrong = new Set(found.filter(({ severity }) => severity === 'error').map(({ file }) => file))
  return {
    ...draft,
    manifests: draft.manifests.filter(({ source }) => !wrong.has(source.file)),
    handlers: new Map([...draft.handlers].filter(([id]) => !wrong.has(draft.handlerFiles.get(pageIdOf(id)) ?? '')))
  }
}

/** Whether the content that a surface answers with could be read. */
const hasContent = (draft: Draft, file: ManifestFile): boolean =>
  referencesOf(file).every(({ to, name, answersWith }) => !answersWith || draft[to].has(name))

/** Sorts surfaces by path, methods and id, the order in which every document lists them. */
function sortSurfaces(surfaces: readonly Surface[]): readonly Surface[] {
  const keyOf = ({ route, id }: Surface): string => `${route.path}\0${route.methods.join()}\0${id}`
  return Object.freeze(surfaces.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
}

const wordsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(wordsIn)
      : []

const wordsOf = memoize(({ id, manifest }: ManifestFile) => new Set([id, ...wordsIn(manifest)]))

/**
 * Returns the inputs of a surface: its manifest, `shared`, all content whose name is a text of the manifest, and the
 * corpora that its handler reads.
 */
const partsOf = (file: ManifestFile, { corpora, documents, handlers }: Context, shared: string): readonly unknown[] => [
  file,
  shared,
  ...[...wordsOf(file), ...Object.keys(handlers.get(file.id)?.corpora ?? {})].flatMap(word =>
    [corpora, documents, handlers].flatMap((table: ReadonlyMap<string, unknown>) => table.get(word) ?? [])
  )
]

type Checked = Readonly<{ surfaces: readonly DraftSurface[]; diagnostics: readonly Diagnostic[] }>

function* surfacesOf(
  draft: Draft,
  found: readonly Diagnostic[],
  reuse: LoadCache
): SlicedWork<readonly DraftSurface[]> {
  const fitting = withoutErrors(draft, found)
  const context = contextOf(fitting)
  const { freshness, formats, access, languages } = context.service
  const shared = JSON.stringify([freshness, formats, access, languages, context.errors])
  const surfaces: DraftSurface[] = []
  for (const file of fitting.manifests) {
    if (!hasContent(fitting, file)) continue
    const surface = reuse.of(`surface ${file.id}`, partsOf(file, context, shared), () => toSurface(file, context))
    surfaces.push({ surface, file })
    yield
  }
  return [...surfaces, ...formSurfaces(surfaces, context, reuse)]
}

/** Returns the surfaces of the forms of all pages. */
function formSurfaces(drafts: readonly DraftSurface[], context: Context, reuse: LoadCache): readonly DraftSurface[] {
  const surfaces = drafts.map(({ surface }) => surface)
  const answering = (target: Target): Surface | undefined => surfaceAt(surfaces, target, 'POST')
  return drafts.flatMap(({ surface: page, file: pageFile }) =>
    (pageFile.kind.formsOf?.(pageFile, answering) ?? []).map(file => ({
      file,
      surface: reuse.of(`surface ${file.id}`, [page, JSON.stringify(file.manifest)], () => toSurface(file, context))
    }))
  )
}

/**
 * Runs the rules that compare files, and makes the surfaces. `early`: the diagnostics from checking each file alone.
 */
function* checkTogether(draft: Draft, early: readonly Diagnostic[], reuse: LoadCache): SlicedWork<Checked> {
  const diagnostics: Diagnostic[] = []
  for (const rule of referenceRules) {
    diagnostics.push(...rule(draft))
    yield
  }
  const surfaces = yield* surfacesOf(draft, [...early, ...diagnostics], reuse)
  for (const rule of surfaceRules) {
    diagnostics.push(...rule(surfaces, draft))
    yield
  }
  if (hasErrors(early)) return { surfaces, diagnostics }
  const unlinked = hasErrors(diagnostics) ? [] : unlinkedKeys(surfaces, draft)
  return { surfaces, diagnostics: [...diagnostics, ...unusedContent(draft), ...unlinked] }
}

/**
 * Like `checkTogether`, but runs no rules if a build has found nothing to report in the same files with the same code.
 */
function checkChanged(
  read: readonly ReadRoot[],
  { draft, diagnostics: clashes }: ReturnType<typeof joinRoots>,
  early: readonly Diagnostic[],
  reuse: LoadCache,
  digest: string
): SlicedWork<Checked> {
  const codes = read.map(({ root }) => root.code)
  const isComparable = early.length + clashes.length === 0 && codes.every(code => code !== undefined)
  const compiled = isComparable ? read.at(-1)?.root.compiled : undefined
  const form: CacheCodec<Checked, true> = {
    pack: ({ diagnostics }) => (diagnostics.length > 0 ? undefined : true),
    unpack: () => ({ surfaces: runSync(surfacesOf(draft, [], reuse)), diagnostics: [] })
  }
  return getOrComputeInSlices(compiled, 'together', [digest, ...codes], form, () => checkTogether(draft, early, reuse))
}

function registryOf(
  kinds: readonly Kind[],
  roots: readonly ReadRoot[],
  draft: Draft,
  drafts: readonly DraftSurface[],
  digest: string
): Registry {
  const { service, corpora, documents } = contextOf(draft)
  const dictionaries = draft.translations.joined
  const [first = frameworkLanguage] = service.languages
  const surfaces = drafts.map(({ surface }) => surface)
  const declared = sortSurfaces(surfaces.filter(({ formOf }) => formOf === undefined))
  return Object.freeze({
    service: service.index.length > 0 ? service : { ...service, index: defaultIndex(declared) },
    kinds,
    roots: roots.map(({ root }) => root.name),
    surfaces: declared,
    forms: sortSurfaces(surfaces.filter(({ formOf }) => formOf !== undefined)),
    byId: new Map(declared.map(surface => [surface.id, surface])),
    corpora,
    documents,
    manifests: new Map(
      roots.flatMap(({ files, ids }) =>
        files.filter(({ name }) => ids.includes(name.replace(/\.yaml$/, ''))).map(({ path, bytes }) => [path, bytes])
      )
    ),
    assets: joinAssets(
      roots.map(({ assets }) => assets),
      service.theme
    ),
    extensions: draft.extensions,
    dictionaries,
    language: languageOf(first, dictionaries.get(first) ?? new Map()),
    answers: Object.assign({}, ...[...roots].reverse().map(({ answers }) => answers)) as RecordedAnswers,
    ...(draft.recorded?.names === undefined ? {} : { names: draft.recorded.names }),
    digest
  })
}

/**
 * Loads all files of all roots into one registry, and returns all diagnostics, sorted. What depends on an error is not
 * checked, so that one error gives one diagnostic; everything else is, so that one run finds all errors.
 */
export const loadRegistry = (options: LoadOptions): Loaded => runSync(loadRegistryInSlices(options))

export function* loadRegistryInSlices({ roots, kinds, reuse = new LoadCache() }: LoadOptions): SlicedWork<Loaded> {
  const each: ReadRoot[] = []
  for (const root of roots) each.push(yield* readRoot(root, kinds, reuse))
  const whole = withOwnPages(each)
  const files = whole.flatMap(root => root.files)
  const services = whole.flatMap(root => root.service ?? [])
  const { service, source, notes, ...joined } = joinServices(services, shownPath(roots.at(-1)?.folder ?? '.'))
  const early = [...whole.flatMap(root => root.diagnostics), ...joined.diagnostics]
  if (service === undefined || source === undefined)
    return { registry: undefined, readable: undefined, diagnostics: sortDiagnostics(early), notes, files }

  const read = withChosen(whole, service.standard)
  const drafted = joinRoots(read, service, source)
  yield
  const digest = digestOf(read)
  yield
  const checked = yield* checkChanged(read, drafted, early, reuse, digest)
  yield
  const diagnostics = sortDiagnostics([...early, ...drafted.diagnostics, ...checked.diagnostics])
  const readable = underPath(registryOf(kinds, read, drafted.draft, checked.surfaces, digest))
  return { registry: hasErrors(diagnostics) ? undefined : readable, readable, diagnostics, notes, files }
}

/** Returns the registry as a service under the path of its base URL has it. */
function underPath(registry: Registry): Registry {
  const base = basePathOf(registry.service.base_url)
  return base === '' ? registry : movedRegistry(registry, base)
}

/** Returns the registry with another base URL, such as the address that a server listens on. */
export function withBaseUrl(registry: Registry, baseUrl: string): Registry {
  if (baseUrl === registry.service.base_url) return registry
  const declared = registry.moved?.from ?? registry
  return underPath(
    Object.freeze({
      ...declared,
      service: { ...declared.service, base_url: baseUrl },
      digest: sha256Hex(`${registry.digest} ${baseUrl}`)
    })
  )
}

/** Rules about references between files. A manifest for which one reports an error does not become a surface. */
const referenceRules: readonly ReferenceRule[] = [
  knownWords,
  offeredFormats,
  knownContent,
  entriesInReach,
  knownMethodology,
  knownSuccessor,
  soundHandlers,
  soundFiles,
  corpusReferences,
  codeReads,
  serviceTargets,
  envelopeMembers,
  soundTheme,
  enforcedLimits,
  contentFits,
  declaredParams,
  openRights,
  ownTexts
]

const surfaceRules: readonly SurfaceRule[] = [
  uniqueRoutes,
  reachableRoutes,
  examplePresent,
  exampleRequests,
  exampleCallers,
  exampleExpectations,
  slashInKeys,
  knownLocations,
  knownTools,
  shownSurfaces,
  formRights,
  recordedNames,
  completeTranslations
]

const orientation = ['manifest', 'openapi', 'tools', 'examples']

/**
 * Returns the index of a service that declares none: one group for each first tag of its own surfaces, then a group of
 * surfaces of the framework.
 */
function defaultIndex(surfaces: readonly Surface[]): Service['index'] {
  const groups = new Map<string, string[]>()
  for (const surface of surfaces) {
    const { id, tags } = surface
    const [tag = 'other'] = tags
    if (!isStandard(surface)) groups.set(tag, [...(groups.get(tag) ?? []), id])
  }
  const served = orientation.filter(id => surfaces.some(surface => surface.id === id))
  return [
    ...[...groups].map(([tag, ids]) => ({ group: tag.replaceAll('-', '_'), title: humanise(tag), surfaces: ids })),
    ...(served.length === 0 ? [] : [{ group: 'orientation', title: 'Finding your way', surfaces: served }])
  ]
}
