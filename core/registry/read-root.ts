import { createHash } from 'node:crypto'
import { deepFreeze, sha256Hex, type JsonValue } from '../canonical/json.ts'
import type { SlicedWork } from '../canonical/work.ts'
import { loadCorpora, type LoadedCorpora } from '../corpus/load.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { HandlerShape, Kind, ManifestFile } from '../manifest/kind.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { parseManifest } from '../manifest/parse.ts'
import { routeShape } from '../manifest/paths.ts'
import { located, profilesOf, withRights } from '../manifest/rights.ts'
import { checkManifest } from '../manifest/rules.ts'
import { digestOfBytes, getOrCompute, type CacheCodec } from '../source/compiled.ts'
import { maxFileBytes } from '../source/decode-text.ts'
import { filePieces, readFolderInSlices, LoadCache, type FolderFile } from '../source/read-folder.ts'
import { knownYaml, readYaml } from '../source/read-yaml.ts'
import { reportFile, type SourceFile } from '../source/report.ts'
import { assetsFolder } from './assets.ts'
import { answersFile, readAnswers, type RecordedAnswers } from './recorded-answers.ts'
import { namesFile, readNames, type NamesFile } from './recorded-names.ts'
import { standardRoot, type Root } from './registry.ts'
import { readTranslations, translationsFolder, type TranslationFile } from './translations.ts'

export type ReadRoot = Readonly<{
  root: Root
  service: SourceFile | undefined
  manifests: readonly ManifestFile[]
  /** Ids of all manifest files, including those with errors. */
  ids: readonly string[]
  content: LoadedCorpora
  answers: RecordedAnswers
  names: NamesFile | undefined
  assets: readonly FolderFile[]
  translations: readonly TranslationFile[]
  files: readonly FolderFile[]
  diagnostics: readonly Diagnostic[]
}>

/**
 * Returns the id of the manifest in a file below `manifests/`; `undefined` if the name of the file is not one of a
 * manifest.
 */
const idOf = (name: string): string | undefined => /^([a-z0-9][a-z0-9._/-]*)\.yaml$/.exec(name)?.[1]
/** Files below `manifests/` that are not manifests. */
const others = ['service.yaml', 'schema.json', answersFile, namesFile]

type ReadManifest = Readonly<{ manifest: ManifestFile | undefined; diagnostics: readonly Diagnostic[] }>

function readManifest(
  root: string,
  kinds: readonly Kind[],
  profiles: ReturnType<typeof profilesOf>,
  id: string,
  { path, bytes }: FolderFile
): ReadManifest {
  const { source, diagnostics: problems } = withRights(readYaml(path, bytes), profiles) ?? { diagnostics: [] }
  if (source === undefined || problems.length > 0) return { manifest: undefined, diagnostics: problems }
  const { found, diagnostics } = parseManifest(source, kinds)
  if (found === undefined) return { manifest: undefined, diagnostics }
  const manifest = { id, root, source, ...found }
  return { manifest, diagnostics: [...diagnostics, ...checkManifest(manifest)] }
}

/**
 * Returns how a build stores a manifest without diagnostics. The stored form names the kind, which is looked up again
 * when it is restored.
 */
const manifestCodec = (
  root: string,
  kinds: readonly Kind[],
  id: string,
  { path, bytes }: FolderFile
): CacheCodec<ReadManifest, Manifest> => ({
  pack: ({ manifest, diagnostics }) => (diagnostics.length > 0 ? undefined : manifest?.manifest),
  unpack(manifest, again) {
    const kind = kinds.find(({ name }) => name === manifest.kind)
    if (kind === undefined) return again()
    const known = knownYaml(path, bytes, deepFreeze(manifest) as JsonValue)
    const source = manifest.rights === undefined ? known : located(known)
    return { manifest: { id, root, source, kind, manifest }, diagnostics: [] }
  }
})

/** Reads all files of one root and checks each of them alone. */
export function* readRoot(root: Root, kinds: readonly Kind[], reuse = new LoadCache()): SlicedWork<ReadRoot> {
  const { files, diagnostics } = yield* readFolderInSlices(root.folder, 'manifests', reuse)
  const [service] = files
    .filter(({ name }) => name === 'service.yaml')
    .map(({ path, bytes }) => reuse.of(path, [bytes], () => readYaml(path, bytes)))
  const profiles = profilesOf(service)
  const rights = JSON.stringify(profiles ?? null)
  const content = yield* loadCorpora(root.name, root.folder, root.checks, reuse, root.compiled)
  const found: Diagnostic[] = [...root.problems, ...diagnostics, ...content.diagnostics]
  const manifests: ManifestFile[] = []
  const ids: string[] = []
  for (const file of files) {
    const { name, path, bytes } = file
    if (others.includes(name)) continue
    const id = idOf(name)
    if (id === undefined) {
      const message = `\`${name}\` is not the name of a manifest, so it would not be read.`
      const hint = 'Use lowercase letters, digits, `.`, `-` and `_`, and the ending `.yaml`.'
      found.push(reportFile(path, 'M117', message, hint))
      continue
    }
    ids.push(id)
    const read = reuse.of(path, [bytes, rights], () =>
      getOrCompute(root.compiled, `manifests/${id}`, [bytes, rights], manifestCodec(root.name, kinds, id, file), () =>
        readManifest(root.name, kinds, profiles, id, file)
      )
    )
    found.push(...read.diagnostics)
    if (read.manifest !== undefined) manifests.push(read.manifest)
    yield
  }
  const assets = yield* readFolderInSlices(root.folder, assetsFolder, reuse)
  found.push(...assets.diagnostics)
  const translated = yield* readFolderInSlices(root.folder, translationsFolder, reuse)
  const translations = readTranslations(translated.files, reuse)
  found.push(...translated.diagnostics, ...translations.diagnostics)
  return {
    root,
    service,
    manifests,
    ids,
    content,
    answers: readAnswers(files, reuse),
    names: readNames(files, reuse),
    assets: assets.files,
    translations: translations.files,
    files: [...files, ...content.files, ...assets.files, ...translated.files],
    diagnostics: found
  }
}

const routesOf = ({ manifests }: ReadRoot): string[] => manifests.map(({ manifest: { path } }) => routeShape(path))

/**
 * Removes from the standard root the pages whose path another root also declares. Any other second surface at the same
 * method and path is an error (M401).
 */
export function withOwnPages(roots: readonly ReadRoot[]): readonly ReadRoot[] {
  const own = new Set(roots.filter(({ root }) => root.name !== standardRoot).flatMap(routesOf))
  return roots.map(read => {
    const { root, manifests } = read
    if (root.name !== standardRoot) return read
    const replaced = new Set(
      manifests.flatMap(({ id, kind, manifest: { path } }) =>
        kind.reaches.includes('views') && own.has(routeShape(path)) ? [id] : []
      )
    )
    return replaced.size === 0 ? read : withoutIds(read, replaced)
  })
}

/** Returns a root without the surfaces with these ids, and without their code. */
export function withoutIds(read: ReadRoot, left: ReadonlySet<string>): ReadRoot {
  const kept = <T>(table: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...table].filter(([id]) => !left.has(id)))
  return {
    ...read,
    manifests: read.manifests.filter(({ id }) => !left.has(id)),
    ids: read.ids.filter(id => !left.has(id)),
    root: { ...read.root, handlers: kept(read.root.handlers), handlerFiles: kept(read.root.handlerFiles) }
  }
}

function digestOfFile({ bytes, real }: FolderFile): string {
  if (bytes.length <= maxFileBytes) return digestOfBytes(bytes)
  const digest = createHash('sha256')
  for (const piece of filePieces(real)) digest.update(piece)
  return digest.digest('hex')
}

const schemasOf = ({ params, query, body, reply }: HandlerShape): readonly unknown[] => [params, query, body, reply]

/**
 * Returns the SHA-256 of all files, and of the schemas of the input and the reply of handlers and forms, in load order;
 * in lowercase hex.
 */
export function digestOf(roots: readonly ReadRoot[]): string {
  const parts = roots.flatMap(({ root, files }) => {
    const handlers = Array.from(root.handlers, ([id, shape]) => [
      id,
      schemasOf(shape),
      Object.values(shape.forms ?? {}).map(schemasOf)
    ])
    return [[root.name, handlers], ...files.map(file => [file.name, digestOfFile(file)])]
  })
  return sha256Hex(parts.map(part => JSON.stringify(part)).join(''))
}
