import { createHash } from 'node:crypto'
import { frozen, type JsonValue } from '../canonical/json.ts'
import type { Sliced } from '../canonical/work.ts'
import { loadCorpora, type LoadedCorpora } from '../corpus/load.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { HandlerShape, Kind, ManifestFile } from '../manifest/kind.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { parseManifest } from '../manifest/parse.ts'
import { routeShape } from '../manifest/paths.ts'
import { located, profilesOf, withRights } from '../manifest/rights.ts'
import { checkManifest } from '../manifest/rules.ts'
import { digestOfBytes, madeOf, type KeptForm } from '../source/compiled.ts'
import { largestFile } from '../source/decode-text.ts'
import { filePieces, readingFolder, Reuse, type FolderFile } from '../source/read-folder.ts'
import { knownYaml, readYaml } from '../source/read-yaml.ts'
import { reportFile, type SourceFile } from '../source/report.ts'
import { assetsFolder } from './assets.ts'
import { answersFile, readAnswers, type RecordedAnswers } from './recorded-answers.ts'
import { standardRoot, type Root } from './registry.ts'

export type ReadRoot = Readonly<{
  root: Root
  service: SourceFile | undefined
  manifests: readonly ManifestFile[]
  /** Ids of all manifest files, including those with errors. */
  ids: readonly string[]
  content: LoadedCorpora
  /** The answers to the examples, as last recorded. */
  answers: RecordedAnswers
  /** The files that the pages of the root load. */
  assets: readonly FolderFile[]
  files: readonly FolderFile[]
  diagnostics: readonly Diagnostic[]
}>

/** Returns the surface id of a manifest's file name. `service.yaml` and generated files are not surfaces. */
const idOf = (name: string): string | undefined => /^([a-z0-9][a-z0-9._/-]*)\.yaml$/.exec(name)?.[1]
const others = ['service.yaml', 'schema.json', answersFile]

/** What manifests are read with. */
type Words = Readonly<{ kinds: readonly Kind[]; profiles: ReturnType<typeof profilesOf> }>

type Made = Readonly<{ manifest: ManifestFile | undefined; diagnostics: readonly Diagnostic[] }>

/** One manifest with what is wrong with it; without it where it cannot be read. */
function readManifest(root: string, { kinds, profiles }: Words, id: string, path: string, bytes: Uint8Array): Made {
  const said = withRights(readYaml(path, bytes), profiles)
  if (said === undefined || said.diagnostics.length > 0)
    return { manifest: undefined, diagnostics: said?.diagnostics ?? [] }
  const { source } = said
  const { found, diagnostics } = parseManifest(source, kinds)
  if (found === undefined) return { manifest: undefined, diagnostics }
  const manifest = { id, root, source, ...found }
  return { manifest, diagnostics: [...diagnostics, ...checkManifest(manifest)] }
}

/** Returns how a build stores a manifest without diagnostics. Its kind is looked up again by name. */
const manifestForm = (
  root: string,
  { kinds }: Words,
  id: string,
  path: string,
  bytes: Uint8Array
): KeptForm<Made, Manifest> => ({
  pack: ({ manifest, diagnostics }) => (diagnostics.length > 0 ? undefined : manifest?.manifest),
  unpack(packed, again) {
    const sourceOf = (manifest: Manifest): SourceFile => {
      const source = knownYaml(path, bytes, frozen(manifest) as JsonValue)
      return manifest.rights === undefined ? source : located(source)
    }
    const kind = kinds.find(({ name }) => name === packed.kind)
    return kind === undefined
      ? again()
      : { manifest: { id, root, source: sourceOf(packed), kind, manifest: packed }, diagnostics: [] }
  }
})

/** Reads all files of one root and checks each of them alone. */
export function* readRoot(root: Root, kinds: readonly Kind[], reuse = new Reuse()): Sliced<ReadRoot> {
  const { files, diagnostics } = yield* readingFolder(root.folder, 'manifests', reuse)
  const service = files.find(({ name }) => name === 'service.yaml')
  const serviceSource =
    service === undefined
      ? undefined
      : reuse.of(service.path, [service.bytes], () => readYaml(service.path, service.bytes))
  const words = { kinds, profiles: profilesOf(serviceSource) }
  const rights = JSON.stringify(words.profiles ?? null)
  const content = yield* loadCorpora(root.name, root.folder, root.checks, reuse, root.compiled)
  const found: Diagnostic[] = [...root.problems, ...diagnostics, ...content.diagnostics]
  const manifests: ManifestFile[] = []
  const ids: string[] = []
  for (const { name, path, bytes } of files) {
    if (others.includes(name)) continue
    const id = idOf(name)
    if (id === undefined) {
      found.push(
        reportFile(
          path,
          'M117',
          `\`${name}\` is not the name of a manifest, so it would not be read.`,
          'Use lowercase letters, digits, `.`, `-` and `_`, and the ending `.yaml`.'
        )
      )
      continue
    }
    ids.push(id)
    const { manifest, diagnostics: wrong } = reuse.of(path, [bytes, rights], () =>
      madeOf(root.compiled, `manifests/${id}`, [bytes, rights], manifestForm(root.name, words, id, path, bytes), () =>
        readManifest(root.name, words, id, path, bytes)
      )
    )
    found.push(...wrong)
    if (manifest !== undefined) manifests.push(manifest)
    yield
  }
  const assets = yield* readingFolder(root.folder, assetsFolder, reuse)
  found.push(...assets.diagnostics)
  return {
    root,
    service: serviceSource,
    manifests,
    ids,
    content,
    answers: readAnswers(files, reuse),
    assets: assets.files,
    files: [...files, ...content.files, ...assets.files],
    diagnostics: found
  }
}

const routesOf = ({ manifests }: ReadRoot): string[] => manifests.map(({ manifest: { path } }) => routeShape(path))

/**
 * Removes from the standard root the pages whose path another root also declares, so a service replaces the front page
 * by declaring `/`. Other surfaces of the standard root cannot be replaced: a second surface at their path is an error
 * (M401).
 */
export function withOwnPages(roots: readonly ReadRoot[]): readonly ReadRoot[] {
  const own = new Set(roots.filter(({ root }) => root.name !== standardRoot).flatMap(routesOf))
  return roots.map(one => {
    if (one.root.name !== standardRoot) return one
    const replaced = new Set(
      one.manifests
        .filter(({ kind, manifest: { path } }) => kind.reaches.includes('views') && own.has(routeShape(path)))
        .map(({ id }) => id)
    )
    const kept = <T>(table: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
      new Map([...table].filter(([id]) => !replaced.has(id)))
    return replaced.size === 0
      ? one
      : {
          ...one,
          manifests: one.manifests.filter(({ id }) => !replaced.has(id)),
          ids: one.ids.filter(id => !replaced.has(id)),
          root: { ...one.root, handlers: kept(one.root.handlers), handlerFiles: kept(one.root.handlerFiles) }
        }
  })
}

function digestOfFile({ bytes, real }: FolderFile): string {
  if (bytes.length <= largestFile) return digestOfBytes(bytes)
  const digest = createHash('sha256')
  for (const piece of filePieces(real)) digest.update(piece)
  return digest.digest('hex')
}

const schemasOf = ({ params, query, body, reply }: HandlerShape): readonly unknown[] => [params, query, body, reply]

/** SHA-256 over names and bytes of all files and the schemas of handlers and forms, in load order; lowercase hex. */
export function digestOf(roots: readonly ReadRoot[]): string {
  const all = createHash('sha256')
  for (const { root, files } of roots) {
    all.update(
      JSON.stringify([
        root.name,
        [...root.handlers].map(([id, { forms, ...shape }]) => [
          id,
          schemasOf(shape),
          Object.values(forms ?? {}).map(schemasOf)
        ])
      ])
    )
    for (const file of files) all.update(JSON.stringify([file.name, digestOfFile(file)]))
  }
  return all.digest('hex')
}
