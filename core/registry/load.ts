import { sha256Hex } from '../canonical/json.ts'
import { atOnce, onceFor, type Sliced } from '../canonical/work.ts'
import { hasErrors, sortDiagnostics, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { humanise } from '../format/format.ts'
import { pageIdOf, type Context, type Kind, type ManifestFile } from '../manifest/kind.ts'
import { toSurface } from '../manifest/normalise.ts'
import type { Target } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import { makingOf, type KeptForm } from '../source/compiled.ts'
import { Reuse, shownPath, type FolderFile } from '../source/read-folder.ts'
import { joinAssets } from './assets.ts'
import { contextOf, type Draft, type DraftSurface, type ReferenceRule, type SurfaceRule } from './draft.ts'
import { joinRoots } from './join-roots.ts'
import { joinServices } from './join-services.ts'
import { digestOf, readRoot, withOwnPages, type ReadRoot } from './read-root.ts'
import type { RecordedAnswers } from './recorded-answers.ts'
import { standardRoot, type Registry, type Root } from './registry.ts'
import { contentFits, corpusReferences, knownContent, knownMethodology, unusedContent } from './rules/content.ts'
import { exampleExpectations, examplePresent, exampleRequests } from './rules/examples.ts'
import { codeReads, declaredParams, soundFiles, soundHandlers } from './rules/handlers.ts'
import { formRights, openRights } from './rules/rights.ts'
import {
  knownLocations,
  knownSuccessor,
  knownTools,
  reachableRoutes,
  shownSurfaces,
  uniqueRoutes
} from './rules/routes.ts'
import { enforcedLimits, envelopeMembers, knownWords, offeredFormats, serviceTargets } from './rules/service.ts'

export type { Root }

type LoadOptions = Readonly<{
  /** In load order: the first root whose `manifests/service.yaml` has an `id` says which service this is. */
  roots: readonly Root[]
  /** The kinds that a manifest may have. */
  kinds: readonly Kind[]
  /** Results of earlier loads of the same roots, reused where the input is unchanged. */
  reuse?: Reuse
}>

export type Loaded = Readonly<{
  /** The complete registry; `undefined` when there are errors. */
  registry: Registry | undefined
  /** What could be read despite errors, for tools that add to it; `undefined` when no service could be read. */
  readable: Registry | undefined
  diagnostics: readonly Diagnostic[]
  /** Remarks about the joined roots that are not diagnostics, such as unused settings of a joined service. */
  notes: readonly string[]
  /** All files that were read. With a `Reuse`, an unchanged file has the same bytes object as before. */
  files: readonly FolderFile[]
}>

/** Returns the draft without the manifests and handlers that have errors. */
function passed(draft: Draft, found: readonly Diagnostic[]): Draft {
  const wrong = new Set(found.filter(one => one.severity === 'error').map(({ file }) => file))
  return {
    ...draft,
    manifests: draft.manifests.filter(({ source }) => !wrong.has(source.file)),
    handlers: new Map([...draft.handlers].filter(([id]) => !wrong.has(draft.handlerFiles.get(pageIdOf(id)) ?? '')))
  }
}

/**
 * Whether the content that a surface answers with could be read; if not, its errors have been reported at its place.
 */
const hasContent =
  (draft: Draft) =>
  (file: ManifestFile): boolean =>
    (file.kind.refersTo?.(file) ?? []).every(({ to, name, answersWith }) => !answersWith || draft[to].has(name))

/** Sorts surfaces by path, methods and id: the order in every document. */
const sortSurfaces = (surfaces: readonly Surface[]): Surface[] =>
  [...surfaces].sort((a, b) => {
    const [left, right] = [a, b].map(({ route, id }) => `${route.path}\0${route.methods.join()}\0${id}`)
    return (left ?? '') < (right ?? '') ? -1 : 1
  })

/** Returns all strings within a value. */
const wordsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(wordsIn)
      : []

const wordsOf = onceFor(({ id, manifest }: ManifestFile) => new Set([id, ...wordsIn(manifest)]))

/**
 * Returns the inputs that a surface is made from: its manifest, `shared`, and each corpus, document and handler whose
 * name is in the manifest. They are the cache key of the surface; code is compared by identity.
 */
const partsOf = (file: ManifestFile, { corpora, documents, handlers }: Context, shared: string): readonly unknown[] => [
  file,
  shared,
  ...[...wordsOf(file), ...Object.keys(handlers.get(file.id)?.corpora ?? {})].flatMap(word =>
    [corpora, documents, handlers].flatMap((table: ReadonlyMap<string, unknown>) => table.get(word) ?? [])
  )
]

type Together = Readonly<{ surfaces: readonly DraftSurface[]; diagnostics: readonly Diagnostic[] }>

function* surfacesOf(draft: Draft, found: readonly Diagnostic[], reuse: Reuse): Sliced<readonly DraftSurface[]> {
  const fitting = passed(draft, found)
  const context = contextOf(fitting)
  const {
    service: { freshness, formats, access },
    errors
  } = context
  const shared = JSON.stringify([freshness, formats, access, errors])
  const surfaces: DraftSurface[] = []
  for (const file of fitting.manifests.filter(hasContent(fitting))) {
    const surface = reuse.of(`surface ${file.id}`, partsOf(file, context, shared), () => toSurface(file, context))
    surfaces.push({ surface, file })
    yield
  }
  return [...surfaces, ...formSurfaces(surfaces, context, reuse)]
}

/** The forms of pages, each with the rights of the surface that it sends to. */
function formSurfaces(pages: readonly DraftSurface[], context: Context, reuse: Reuse): readonly DraftSurface[] {
  const all = pages.map(({ surface }) => surface)
  const answering = (target: Target): Surface | undefined => surfaceAt(all, target, 'POST')
  return pages.flatMap(({ surface: page, file: { kind, ...declared } }) =>
    (kind.formsOf?.({ kind, ...declared }, answering) ?? []).map(file => ({
      file,
      surface: reuse.of(`surface ${file.id}`, [page, JSON.stringify(file.manifest)], () => toSurface(file, context))
    }))
  )
}

/** Runs the rules that compare files and makes the surfaces. `early` holds the diagnostics of single files. */
function* checkTogether(draft: Draft, early: readonly Diagnostic[], reuse: Reuse): Sliced<Together> {
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
  return { surfaces, diagnostics: hasErrors(early) ? diagnostics : [...diagnostics, ...unusedContent(draft)] }
}

/**
 * Like `checkTogether`. If a build found no errors in the same files with the same code, the checks are skipped and
 * only the surfaces are made.
 */
function* togetherOf(
  read: readonly ReadRoot[],
  { draft, diagnostics: clashes }: ReturnType<typeof joinRoots>,
  early: readonly Diagnostic[],
  reuse: Reuse,
  digest: string
): Sliced<Together> {
  const codes = read.map(({ root }) => root.code)
  const isComparable = early.length + clashes.length === 0 && codes.every(code => code !== undefined)
  const form: KeptForm<Together, true> = {
    pack: ({ diagnostics }) => (diagnostics.length > 0 ? undefined : true),
    unpack: () => ({ surfaces: atOnce(surfacesOf(draft, [], reuse)), diagnostics: [] })
  }
  return yield* makingOf(
    isComparable ? read.at(-1)?.root.compiled : undefined,
    'together',
    [digest, ...codes],
    form,
    () => checkTogether(draft, early, reuse)
  )
}

const registryOf = (
  kinds: readonly Kind[],
  roots: readonly ReadRoot[],
  draft: Draft,
  surfaces: readonly Surface[],
  digest: string
): Registry => {
  const { corpora, documents } = contextOf(draft)
  const declared = Object.freeze(sortSurfaces(surfaces.filter(({ formOf }) => formOf === undefined)))
  return Object.freeze({
    service: draft.service.index.length > 0 ? draft.service : { ...draft.service, index: defaultIndex(declared) },
    kinds,
    roots: roots.map(({ root }) => root.name),
    surfaces: declared,
    forms: Object.freeze(sortSurfaces(surfaces.filter(({ formOf }) => formOf !== undefined))),
    byId: new Map(declared.map(surface => [surface.id, surface])),
    corpora,
    documents,
    manifests: new Map(
      roots.flatMap(({ files, ids }) =>
        files.filter(({ name }) => ids.includes(name.replace(/\.yaml$/, ''))).map(({ path, bytes }) => [path, bytes])
      )
    ),
    assets: joinAssets(roots.map(({ assets }) => assets)),
    extensions: draft.extensions,
    answers: Object.assign({}, ...[...roots].reverse().map(({ answers }) => answers)) as RecordedAnswers,
    digest
  })
}

/**
 * Loads all files of all roots into one registry, or returns all diagnostics, sorted; warnings do not prevent a
 * registry. It only reads files. What depends on an error is not checked, so that one error gives one diagnostic;
 * everything else is checked, so that one run finds all errors.
 */
export const loadRegistry = (options: LoadOptions): Loaded => atOnce(loadingRegistry(options))

export function* loadingRegistry({ roots, kinds, reuse = new Reuse() }: LoadOptions): Sliced<Loaded> {
  const each: ReadRoot[] = []
  for (const root of roots) each.push(yield* readRoot(root, kinds, reuse))
  const read = withOwnPages(each)
  const files = read.flatMap(one => one.files)
  const own = read.flatMap(({ diagnostics }) => diagnostics)
  const joined = joinServices(
    read.flatMap(({ service }) => service ?? []),
    shownPath(roots.at(-1)?.folder ?? '.')
  )
  const early = [...own, ...joined.diagnostics]
  if (joined.service === undefined || joined.source === undefined)
    return { registry: undefined, readable: undefined, diagnostics: sortDiagnostics(early), notes: joined.notes, files }

  const drafted = joinRoots(read, joined.service, joined.source)
  yield
  const digest = digestOf(read)
  yield
  const together = yield* togetherOf(read, drafted, early, reuse, digest)
  yield
  const diagnostics = sortDiagnostics([...early, ...drafted.diagnostics, ...together.diagnostics])
  const readable = registryOf(
    kinds,
    read,
    drafted.draft,
    together.surfaces.map(({ surface }) => surface),
    digest
  )
  return { registry: hasErrors(diagnostics) ? undefined : readable, readable, diagnostics, notes: joined.notes, files }
}

/** Returns the registry with another public origin, such as the address that a server listens on. */
export const withBaseUrl = (registry: Registry, origin: string): Registry =>
  origin === registry.service.base_url
    ? registry
    : Object.freeze({
        ...registry,
        service: { ...registry.service, base_url: origin },
        digest: sha256Hex(`${registry.digest} ${origin}`)
      })

/**
 * Rules about references between files. Each rule checks as much as it can, whatever the others found. A manifest that
 * breaks one does not become a surface.
 */
const referenceRules: readonly ReferenceRule[] = [
  knownWords,
  offeredFormats,
  knownContent,
  knownMethodology,
  knownSuccessor,
  soundHandlers,
  soundFiles,
  corpusReferences,
  codeReads,
  serviceTargets,
  envelopeMembers,
  enforcedLimits,
  contentFits,
  declaredParams,
  openRights
]

/** Rules that compare finished surfaces. */
const surfaceRules: readonly SurfaceRule[] = [
  uniqueRoutes,
  reachableRoutes,
  examplePresent,
  exampleRequests,
  exampleExpectations,
  knownLocations,
  knownTools,
  shownSurfaces,
  formRights
]

const orientation = ['manifest', 'openapi', 'tools', 'examples']

/**
 * Returns the index groups for a service that declares none: its own surfaces, grouped by their first tag, then the
 * framework's directories.
 */
function defaultIndex(surfaces: readonly Surface[]): Service['index'] {
  const groups = new Map<string, string[]>()
  for (const {
    id,
    tags: [tag = 'other'],
    origin
  } of surfaces)
    if (origin.root !== standardRoot) groups.set(tag, [...(groups.get(tag) ?? []), id])
  const served = orientation.filter(id => surfaces.some(surface => surface.id === id))
  return [
    ...[...groups].map(([tag, ids]) => ({ group: tag.replaceAll('-', '_'), title: humanise(tag), surfaces: ids })),
    ...(served.length === 0 ? [] : [{ group: 'orientation', title: 'Finding your way', surfaces: served }])
  ]
}
