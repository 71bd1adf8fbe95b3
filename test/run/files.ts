import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The project: this file runs from `.test/test/run`. */
export const project = resolve(import.meta.dirname, '../../..')

export type TestFile = Readonly<{
  file: string
  /**
   * `long`: only in `npm run test:long`; `faults`: only in `npm run faults`. `slow`: not in `npm test` of all files,
   * but where some are asked for (by name, `--changed`, `--database`) and in `npm run test:long`. `sampled`: in every
   * tier, with more tries in the long one (`test/support/effort.ts`). `alone`: in a process of its own. Said in the
   * first line: `// test: long, alone. Why.`
   */
  marks: ReadonlySet<string>
}>

const read = (file: string): string => readFileSync(join(project, file), 'utf8')

const marksOf = (file: string): ReadonlySet<string> =>
  new Set(/^\/\/ test: ([a-z, ]+)/.exec(read(file))?.[1]?.split(/, */) ?? [])

const below = (folder: string, ending: string): string[] =>
  readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => relative(project, join(entry.parentPath, entry.name)))
    .sort()

/** Every test file of the project. */
export const testFiles = (): readonly TestFile[] =>
  below('test', '.test.ts')
    .filter(file => !/^test\/(?:fixture|tools)\//.test(file))
    .map(file => ({ file, marks: marksOf(file) }))

/** The file that the package exports under a name. */
export const doorOf = (name: string): string | undefined =>
  name === 'pantry'
    ? 'bin/door/index.ts'
    : name.startsWith('pantry/')
      ? `bin/door/${name.slice('pantry/'.length)}.ts`
      : undefined

const rootLoader = 'bin/roots.ts'

/**
 * Files of the project that each test file runs: what it imports, directly or not, and the whole service where it loads
 * one. `into` says into which of them it looks.
 */
export async function reachedFrom(
  files: readonly string[],
  into: (file: string) => boolean = () => true
): Promise<(file: string) => ReadonlySet<string>> {
  const {
    default: { preProcessFile }
  } = await import('typescript')
  const direct = new Map<string, readonly string[]>()
  const importsOf = (file: string): readonly string[] => {
    const known = direct.get(file)
    if (known !== undefined) return known
    const written = preProcessFile(read(file), true, true).importedFiles.map(({ fileName }) => fileName)
    const found = written
      .map(
        name => doorOf(name) ?? (name.startsWith('.') ? relative(project, resolve(project, dirname(file), name)) : '')
      )
      .filter(name => name.endsWith('.ts') && existsSync(join(project, name)))
    // Handlers, services, checks, commands and migrations of a root are found by their place.
    const loaded =
      file === rootLoader
        ? [
            ...below('surfaces', '.ts').filter(name => /^surfaces\/(?:handlers\/|commands\/|[^/]+$)/.test(name)),
            ...below('migrations', '.ts')
          ]
        : []
    direct.set(file, [...found, ...loaded])
    return direct.get(file) ?? []
  }
  const all = new Map(
    files.map(file => {
      const reached = new Set([file])
      for (const one of reached) if (into(one)) for (const next of importsOf(one)) reached.add(next)
      return [file, reached]
    })
  )
  return file => all.get(file) ?? new Set()
}

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: project, encoding: 'utf8' })
    .split('\n')
    .filter(line => line !== '')

/** Files that differ from the point where this branch left `base`, committed or not. */
export const changedFiles = (base: string): readonly string[] => [
  ...new Set([
    ...git('diff', '--name-only', git('merge-base', base, 'HEAD')[0] ?? base),
    ...git('ls-files', '--others', '--exclude-standard')
  ])
]

/**
 * Test files that may answer otherwise after a change. Data is read by whoever loads a root, and by the tests beside
 * it.
 */
export async function testsOf(changed: readonly string[], tests: readonly TestFile[]): Promise<readonly TestFile[]> {
  const reached = await reachedFrom(tests.map(({ file }) => file))
  return tests.filter(({ file }) =>
    changed.some(
      one =>
        reached(file).has(one) ||
        (!one.endsWith('.ts') && (reached(file).has(rootLoader) || dirname(one).startsWith(dirname(file))))
    )
  )
}
