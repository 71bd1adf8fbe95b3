import { deserialize, serialize } from 'node:v8'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { kinds } from '../../../core/kinds/index.ts'
import { loadRoots, packageFolder } from '../../../bin/roots.ts'
import { loadRegistry, type Loaded, type Root } from '../../../core/registry/load.ts'
import type { BuildCache } from '../../../core/source/compiled.ts'
import { standard } from '../../support/standard.ts'

/**
 * A value as text: the same for two values that nobody can tell apart. Code is the same by its name, as both readings
 * have the same.
 */
function canonical(value: unknown, above: readonly unknown[] = []): string {
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value !== 'object' || value === null) return `${typeof value} ${JSON.stringify(value)}`
  if (above.includes(value)) return `above ${above.length - above.indexOf(value)}`
  const inner = (one: unknown): string => canonical(one, [...above, value])
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`
  if (value instanceof Map) return `map {${[...value].map(([key, one]) => `${inner(key)} => ${inner(one)}`).join()}}`
  if (value instanceof Set) return `set {${[...value].map(inner).join()}}`
  if (Array.isArray(value)) return `[${value.map(inner).join()}]`
  return `${(Object.getPrototypeOf(value) as object | null)?.constructor.name ?? ''}{${Object.entries(value)
    .map(([name, one]) => `${name}: ${inner(one)}`)
    .join()}}`
}

/** Parts of the first value that are frozen, and not so in the second. */
function thawed(first: unknown, second: unknown, at = '', seen = new Set<unknown>()): string[] {
  if (typeof first !== 'object' || first === null || typeof second !== 'object' || second === null || seen.has(first))
    return []
  seen.add(first)
  const [one, other] = [first, second].map(value =>
    value instanceof Map ? (Object.fromEntries(value) as Record<string, unknown>) : (value as Record<string, unknown>)
  )
  return [
    ...(Object.isFrozen(first) && !Object.isFrozen(second) ? [at] : []),
    ...Object.keys(one ?? {}).flatMap(name => thawed(one?.[name], other?.[name], `${at}/${name}`, seen))
  ]
}

/** What a build keeps, in memory: as data, so that nothing is shared with the reading that made it. */
class Kept {
  readonly #items = new Map<string, Readonly<{ digest: string; packed: Uint8Array }>>()
  readonly taken: string[] = []
  readonly building: BuildCache = {
    take: () => undefined,
    keep: (name, digest, packed) => {
      this.#items.set(name, { digest, packed: serialize(packed) })
    }
  }
  readonly built: BuildCache = {
    take: (name, digest) => {
      const item = this.#items.get(name)
      if (item?.digest !== digest) return undefined
      this.taken.push(name)
      return deserialize(item.packed) as unknown
    }
  }

  get names(): string[] {
    return [...this.#items.keys()].sort()
  }
}

/** The roots as they are, while they are built, and with what was built of them. */
function threeWays(roots: readonly Root[]): {
  fresh: () => Loaded
  build: () => Loaded
  compiled: () => Loaded
  kept: readonly Kept[]
} {
  const kept = roots.map(() => new Kept())
  const load = (of: (kept: Kept) => Partial<Root>) => () =>
    loadRegistry({ roots: roots.map((root, at) => ({ ...root, ...of(kept[at]!) })), kinds })
  return {
    fresh: load(() => ({})),
    build: load(({ building }) => ({ code: 'same', compiled: building })),
    compiled: load(({ built }) => ({ code: 'same', compiled: built })),
    kept
  }
}

const libraryIn = (folder: string): Root => {
  cpSync(join(packageFolder, 'test/fixture/library'), folder, { recursive: true })
  return { name: 'library', folder, handlers: new Map(), handlerFiles: new Map(), problems: [] }
}

const edit = (file: string, from: string, to: string): void => {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} does not say ${from}.`)
  writeFileSync(file, text.replace(from, to))
}

t.test(
  'the compiled registry is the one that is read, byte by byte: of the service, and of a root in several languages and forms',
  async t => {
    for (const names of [['.'], ['test/fixture/museum'], ['test/fixture/archive'], ['test/fixture/library']]) {
      const { fresh, build, compiled, kept } = threeWays(await loadRoots(names.map(name => join(packageFolder, name))))
      const read = fresh()
      build()
      const taken = compiled()
      t.ok(canonical(read) === canonical(taken), names.join())
      t.strictSame(thawed(read.registry, taken.registry), [], 'what was frozen is frozen')
      for (const one of kept)
        t.strictSame(
          one.names.filter(name => !one.taken.includes(name)),
          [],
          'all that was kept is taken'
        )
      t.ok((kept.at(-1)?.taken.length ?? 0) > 3)
      if (read.diagnostics.length === 0 && read.registry !== undefined)
        t.ok(kept.at(-1)?.taken.includes('together'), 'nothing is checked again')
    }
  }
)

t.test(
  'what was edited is read, and a mistake in it is told as without a build, with places in files that were not edited',
  t => {
    const folder = t.testdir()
    const { fresh, build, compiled, kept } = threeWays([standard, libraryIn(folder)])
    build()
    edit(join(folder, 'manifests/books.yaml'), 'corpus: books', 'corpus: bocks')
    edit(join(folder, 'corpora/branches/entries.yaml'), 'id: ', 'id: no-')
    const [read, taken] = [fresh(), compiled()]
    t.ok(read.diagnostics.length > 1)
    t.ok(
      read.diagnostics.some(({ file }) => file.endsWith('corpora/books/entries.yaml')),
      'a book is in a branch that is gone'
    )
    t.strictSame(taken.diagnostics, read.diagnostics)
    t.equal(taken.registry, undefined)
    t.ok(kept[1]?.taken.includes('corpora/books'))
    for (const name of ['manifests/books', 'corpora/branches', 'together']) t.notOk(kept[1]?.taken.includes(name), name)
    t.end()
  }
)

t.test('what has mistakes is not kept, and other code takes nothing for right', t => {
  const folder = t.testdir()
  const root = libraryIn(folder)
  edit(join(folder, 'manifests/today.yaml'), 'kind: ', 'kind: no-')
  const { build, kept } = threeWays([standard, root])
  t.ok(build().diagnostics.length > 0)
  t.ok(kept[1]?.names.includes('manifests/books'))
  for (const name of ['manifests/today', 'together']) t.notOk(kept[1]?.names.includes(name), name)

  edit(join(folder, 'manifests/today.yaml'), 'kind: no-', 'kind: ')
  build()
  t.ok(kept[1]?.names.includes('together'))
  loadRegistry({
    roots: [
      { ...standard, code: 'other', compiled: kept[0]!.built },
      { ...root, code: 'same', compiled: kept[1]!.built }
    ],
    kinds
  })
  t.notOk(kept[1]?.taken.includes('together'), 'the code of any root may be what finds a mistake')
  t.end()
})

t.test('a file that is too large to be read at once is never taken for another', t => {
  const folder = t.testdir()
  const root = libraryIn(folder)
  const entries = join(folder, 'corpora/branches/entries.yaml')
  const { build, compiled, kept } = threeWays([standard, root])
  writeFileSync(entries, `${readFileSync(entries, 'utf8')}${'# much\n'.repeat(50_000)}`)
  build()
  t.notOk(kept[1]?.names.includes('corpora/branches'))
  t.strictSame(compiled().diagnostics, build().diagnostics)
  t.end()
})
