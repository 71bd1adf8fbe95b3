import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { canonicalize } from '../../core/canonical/json.ts'
import type { Corpus } from '../../core/corpus/corpus.ts'
import { formatDiagnostics } from '../../core/diagnostics/format.ts'
import type { HandlerShape } from '../../core/manifest/kind.ts'
import { routeShape } from '../../core/manifest/paths.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { operationsOf, surfaceNamesOf } from '../../core/registry/operations.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { shownPath } from '../../core/source/read-folder.ts'
import { UsageError } from '../config.ts'
import { print, type Io } from '../io.ts'
import { workedOn } from '../project.ts'
import { errorsOf, readRegistry, requireRegistry } from '../read-registry.ts'
import { loadRoots, type LoadedRoot } from '../roots.ts'
import {
  additive,
  breaking,
  compareNames,
  documentation,
  impacts,
  missingFrom,
  type Change,
  type Difference
} from './change.ts'
import { compareSurfaces } from './surfaces.ts'

const execute = promisify(execFile)

async function git(folder: string, args: readonly string[], index?: string): Promise<string> {
  const { stdout } = await execute('git', ['-C', folder, ...args], {
    env: { ...process.env, ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) },
    maxBuffer: 16 * 1024 * 1024
  })
  return stdout.trim()
}

/** Returns the hash of the git tree of `folder` in a revision. */
async function treeOf(folder: string, revision: string): Promise<string> {
  try {
    const prefix = await git(folder, ['rev-parse', '--show-prefix'])
    return await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}:${prefix}`])
  } catch (cause) {
    throw new UsageError(
      `\`${revision}\` is neither a root folder (with \`manifests/\`) nor a git revision that holds \`${shownPath(folder)}\`.`,
      { cause }
    )
  }
}

/** Writes a git tree to the folder `root`. With an index of its own, it changes nothing in the repository. */
async function checkOut(folder: string, tree: string, index: string, root: string): Promise<void> {
  const top = await git(folder, ['rev-parse', '--show-toplevel'])
  await git(top, ['read-tree', tree], index)
  await git(top, ['checkout-index', '--all', `--prefix=${root}/`], index)
}

/**
 * Returns the schemas of handlers of a revision, whose code is not run: handlers that still exist have their present
 * schemas, the others accept all.
 */
function handlersOf(root: string, today: LoadedRoot): Map<string, HandlerShape> {
  const files = readdirSync(join(root, 'manifests'), { recursive: true, encoding: 'utf8' })
  const ids = files.map(name => name.replaceAll('\\', '/').replace(/\.yaml$/, ''))
  return new Map([...ids.map((id): [string, HandlerShape] => [id, { reply: {} }]), ...today.handlers])
}

/** Returns the roots, with `last` replaced by its revision in the folder `past`. */
function rootsOf(
  roots: readonly LoadedRoot[],
  last: LoadedRoot,
  past: string,
  revision: string
): readonly LoadedRoot[] {
  // A checkout of the framework has the standard root too.
  const standard = join(past, 'core', 'standard')
  return roots.map((root, index) => {
    if (root === last)
      return { ...last, name: revision, folder: past, handlers: handlersOf(past, last), handlerFiles: new Map() }
    return index === 0 && existsSync(standard) ? { ...root, folder: standard } : root
  })
}

async function readRevision(names: readonly string[], revision: string, io: Io): Promise<Registry> {
  const roots = await loadRoots(names)
  const own = workedOn(names)
  const last = roots.find(({ folder }) => folder === own)
  if (last === undefined) throw new Error('There is no root.')
  const tree = await treeOf(last.folder, revision)
  const target = mkdtempSync(join(tmpdir(), 'pantry-diff-'))
  try {
    const past = join(target, 'root')
    await checkOut(last.folder, tree, join(target, 'index'), past)
    if (!existsSync(join(past, 'manifests')))
      throw new UsageError(`The revision \`${revision}\` has no \`manifests/\`.`)
    const { registry, diagnostics } = readRegistry(rootsOf(roots, last, past, revision))
    if (registry === undefined) {
      print(io.stderr, formatDiagnostics(errorsOf(diagnostics), 'pretty'))
      throw new UsageError(`The manifests of \`${revision}\` cannot be read by this version.`)
    }
    if (registry.surfaces.some(surface => surface.code !== undefined))
      print(
        io.stderr,
        `${revision}: the code of a revision is not run, so the schemas of its handlers are those of the present`
      )
    return registry
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

/**
 * Reads a root folder, or a git revision of the last root that is no package, together with the other roots as they are
 * now.
 */
export async function readSide(name: string, roots: readonly string[], io: Io): Promise<Registry> {
  if (existsSync(join(name, 'manifests'))) return (await requireRegistry([name], io)).registry
  return readRevision(roots, name, io)
}

const at = (subject: string, differences: readonly Difference[]): Change[] =>
  differences.map(difference => ({ subject, ...difference }))

/** Returns the surfaces by method and path shape; a renamed placeholder does not change the key. */
const operations = ({ surfaces }: Registry): Map<string, Surface> =>
  new Map(surfaces.flatMap(surface => surface.route.methods.map(method => [keyOf(method, surface), surface] as const)))

const nameOf = (key: string, surface: Surface): string => `${key.split(' ', 1)[0] ?? ''} ${surface.route.path}`

/** The names of operations, by the keys of `operations`, and of tools by that of the first method. */
type Names = Readonly<{ operations: ReadonlyMap<string, string>; tools: ReadonlyMap<string, string> }>

const keyOf = (method: string, { route }: Surface): string => `${method} ${routeShape(route.path)}`

const namesIn = (registry: Registry): Names => ({
  operations: new Map(operationsOf(registry).map(({ method, surface, name }) => [keyOf(method, surface), name])),
  tools: new Map(
    [...surfaceNamesOf(registry)].flatMap(([surface, name]) =>
      surface.route.methods.map(method => [keyOf(method, surface), name] as const)
    )
  )
})

/** A name that changes is breaking: clients and agents call by it. */
function compareNamesOf(key: string, base: Names, head: Names): readonly Difference[] {
  const changed = (what: string, before: string | undefined, after: string | undefined): Difference[] =>
    before === undefined || after === undefined || before === after
      ? []
      : [breaking(`${what} changes from ${before} to ${after}`)]
  return [
    ...changed('the id of the operation', base.operations.get(key), head.operations.get(key)),
    ...changed('the name of the tool', base.tools.get(key), head.tools.get(key))
  ]
}

function compareOperations(base: Registry, head: Registry): Change[] {
  const [before, after] = [operations(base), operations(head)]
  const [namesBefore, namesAfter] = [namesIn(base), namesIn(head)]
  const compared = new Set<Surface>()
  const differences = (key: string, surface: Surface): readonly Difference[] => {
    const known = before.get(key)
    if (known === undefined) return [additive('is new')]
    // A surface with several methods is compared only once.
    if (compared.has(surface)) return []
    compared.add(surface)
    return compareSurfaces(known, surface, { base, head })
  }
  return [
    ...[...before].flatMap(([key, surface]) =>
      after.has(key) ? [] : at(nameOf(key, surface), [breaking('is no longer served')])
    ),
    ...[...after].flatMap(([key, surface]) =>
      at(nameOf(key, surface), [...compareNamesOf(key, namesBefore, namesAfter), ...differences(key, surface)])
    )
  ]
}

function compareService({ service: base }: Registry, { service: head }: Registry): Change[] {
  const vocabulary = (name: string, namesOf: (service: Registry['service']) => readonly string[]) =>
    compareNames(
      namesOf(base),
      namesOf(head),
      word => `${name} ${word} is gone`,
      word => `${name} ${word} is new`
    )
  const identity = ['id', 'encoding', 'spec_version'] as const
  const texts = [
    'name',
    'version',
    'summary',
    'description',
    'contact',
    'rate_policy',
    'invariants',
    'envelope',
    'index'
  ] as const
  return at('service', [
    ...identity
      .filter(field => base[field] !== head[field])
      .map(field => breaking(`${field} changes from ${base[field]} to ${head[field]}`)),
    ...vocabulary('language', ({ languages }) => languages),
    ...vocabulary('license tier', ({ tiers }) => Object.keys(tiers)),
    ...vocabulary('freshness key', ({ freshness }) => Object.keys(freshness)),
    ...vocabulary('source', ({ sources }) => Object.keys(sources)),
    ...vocabulary('link relation', ({ links }) => links.map(({ rel }) => rel)),
    ...texts
      .filter(field => canonicalize(base[field]) !== canonicalize(head[field]))
      .map(field => documentation(`${field} changes`))
  ])
}

/**
 * Removing an entry is breaking if entries of its corpus have paths of their own. A new entry is additive; all else is
 * documentation.
 */
function compareCorpora(base: Registry, head: Registry): Change[] {
  const addressed = new Set(base.surfaces.flatMap(({ shows }) => (shows?.as === 'one' ? [shows.corpus] : [])))
  return [...base.corpora.values()].flatMap(before => {
    const after: Corpus | undefined = head.corpora.get(before.name)
    if (after === undefined) return []
    const [from, to] = [[...before.byKey.keys()], [...after.byKey.keys()]]
    const changed = [...before.byKey].flatMap(([key, old]) => {
      const now = after.byKey.get(key)
      return now === undefined || canonicalize(old) === canonicalize(now) ? [] : [key]
    })
    return at(`corpus ${before.name}`, [
      ...missingFrom(to, from).map(key =>
        (addressed.has(before.name) ? breaking : documentation)(`entry ${key} is gone`)
      ),
      ...missingFrom(from, to).map(key => additive(`entry ${key} is new`)),
      ...changed.map(key => documentation(`entry ${key} changes`))
    ])
  })
}

/** Returns the changes from `base` to `head`, the most severe first. */
export const compareRegistries = (base: Registry, head: Registry): Change[] => {
  const all = [...compareService(base, head), ...compareOperations(base, head), ...compareCorpora(base, head)]
  return impacts.flatMap(impact => all.filter(change => change.impact === impact))
}
