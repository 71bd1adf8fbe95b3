import { accessTable } from '../access/index.ts'
import { valueAt } from '../canonical/pointer.ts'
import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { didYouMean } from '../diagnostics/suggest.ts'
import { ClaimSchema, type Claim } from '../manifest/claim.ts'
import { matchesRoute, parseSegments } from '../manifest/paths.ts'
import { compileSchema } from '../schema/compile.ts'
import { readFolder, type FolderFile } from '../source/read-folder.ts'
import { readYaml } from '../source/read-yaml.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, reportFile, type Pointer, type SourceFile } from '../source/report.ts'
import { idleParts } from './claim-changes.ts'
import type { Registry, Root } from './registry.ts'

/**
 * Folder of a root with what its texts claim of the service, and requests that show it. It mirrors `manifests/` and
 * `corpora/`: `claims/corpora/guides/first-request.yaml` is about that entry, `claims/manifests/service.yaml` about the
 * service.
 */
const claimsFolder = 'claims'

/** A text of the service with its claims: the value in which the words are, and the file that says them. */
export type ClaimedText = Readonly<{ id: string; value: unknown; source: SourceFile; claims: readonly Claim[] }>

const check = compileSchema({ type: 'array', minItems: 1, items: ClaimSchema })

/** A name that stands for a value in a path or a body. */
export const valueName = /\$(?:IN_(\d+)_(DAY|MINUTE)S?|([A-Z][A-Z_]*))\b/g

/** The names of kept values in a path or a body. */
export const namesIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value ?? '').matchAll(valueName)].flatMap(([, , , name]) => name ?? [])

/** All texts in a value. */
export const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** Returns what a manifest, a document or an entry of a corpus says; `undefined` if there is none of the name. */
function textOf({ service, byId, documents, corpora }: Registry, id: string): unknown {
  const [folder, first = '', ...rest] = id.split('/')
  const name = rest.join('/')
  if (folder === 'corpora')
    return first === 'documents' ? documents.get(name)?.value : corpora.get(first)?.byKey.get(name)
  if (id === 'manifests/service') return service
  const surface = folder === 'manifests' ? byId.get([first, ...rest].join('/')) : undefined
  return surface === undefined
    ? undefined
    : { summary: surface.summary, description: surface.description, does_not_include: [...surface.doesNotInclude] }
}

const textIds = ({ byId, documents, corpora }: Registry): readonly string[] => [
  'manifests/service',
  ...[...byId.keys()].map(id => `manifests/${id}`),
  ...[...documents.keys()].map(name => `corpora/documents/${name}`),
  ...[...corpora.values()].flatMap(({ name, byKey }) => [...byKey.keys()].map(key => `corpora/${name}/${key}`))
]

const isServed = ({ surfaces, forms }: Registry, path: string): boolean => {
  const segments = parseSegments(path)
  return [...surfaces, ...forms].some(({ route }) =>
    [route, ...route.aliases].some(one => matchesRoute(segments, one.segments))
  )
}

/** X202, X203, X205: a claim is in the text, asks something that is there as somebody who can, and can be false. */
function* problemsOf(registry: Registry, { value, source, claims }: ClaimedText): Generator<Diagnostic> {
  const texts = textsIn(value)
  const kinds = Object.keys(accessTable(registry.service.access))
  const known = new Set<string>()
  for (const [index, claim] of claims.entries()) {
    const { says, runs, as, path, status = 200, keeps = {} } = claim
    const at = (code: 'X202' | 'X203' | 'X205', pointer: Pointer, message: string, hint?: string): Diagnostic =>
      report(source, code, [index, ...pointer], message, { hint })
    if (says !== undefined && !texts.some(text => text.includes(says)))
      yield at('X202', ['says'], 'The text does not say this.', 'Say it as the text does, or remove the claim.')
    if (says === undefined && runs === undefined) yield at('X202', [], 'A claim names words of the text as `says`.')
    if (runs !== undefined && typeof valueAt(value, runs) !== 'string')
      yield at('X202', ['runs'], 'The text has no command at this place.')
    if ((path === undefined) === (runs === undefined))
      yield at('X203', [], 'A claim has one of `path` and `runs`: a request, or a command of the text.')
    const kind = as?.split('/')[0]
    if (kind !== undefined && !kinds.includes(kind))
      yield at('X203', ['as'], `There is no access kind \`${kind}\`.`, `Allowed are ${quotedList(kinds)}.`)
    if (path !== undefined && status < 400 && !isServed(registry, path.split('?')[0] ?? path))
      yield at(
        'X203',
        ['path'],
        'No surface has this path.',
        didYouMean(
          path,
          registry.surfaces.map(({ route }) => route.path)
        )
      )
    const unknown = [...namesIn(path), ...namesIn(claim.body)].find(name => !known.has(name))
    if (unknown !== undefined)
      yield at('X203', [], `No earlier claim keeps \`$${unknown}\`.`, 'Keep it: `keeps: { NAME: /pointer }`.')
    for (const name of Object.keys(keeps)) known.add(name)
    const command = runs === undefined ? undefined : valueAt(value, runs)
    for (const { pointer, message, hint } of idleParts(claim, claims.slice(0, index), command))
      yield at('X205', pointer, message, hint)
  }
}

function readFile(
  registry: Registry,
  { name, path, bytes }: FolderFile
): Readonly<{ text?: ClaimedText; found: readonly Diagnostic[] }> {
  const id = name.replace(/\.yaml$/, '')
  const value = name.endsWith('.yaml') ? textOf(registry, id) : undefined
  if (value === undefined) {
    const message = `The service has no text \`${id}\`.`
    return { found: [reportFile(path, 'X201', message, didYouMean(id, textIds(registry)))] }
  }
  const source = readYaml(path, bytes)
  if (source.value === undefined) return { found: source.diagnostics }
  const issues = check(source.value)
  if (issues.length > 0) return { found: reportIssues(source, issues, { noun: 'a file of claims' }) }
  const text = { id, value, source, claims: source.value as readonly Claim[] }
  return { text, found: [...problemsOf(registry, text)] }
}

/** Reads the claims of roots, and checks that each is about words that are there. Only tests need them. */
export function readClaims(
  registry: Registry,
  roots: readonly Pick<Root, 'folder'>[]
): Readonly<{ texts: readonly ClaimedText[]; diagnostics: readonly Diagnostic[] }> {
  const read = roots.map(({ folder }) => readFolder(folder, claimsFolder))
  const files = read.flatMap(one => one.files.map(file => readFile(registry, file)))
  return {
    texts: files.flatMap(({ text }) => text ?? []),
    diagnostics: [...read.flatMap(one => one.diagnostics), ...files.flatMap(({ found }) => found)]
  }
}
