import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../bin/project.ts'
import { filesBelow } from '../bin/root-modules.ts'
import { nodes } from './package/consumers/design.ts'
import { reachedFrom, testFiles } from './run/files.ts'
import { program } from './support/program.ts'

type Step = Readonly<{ id: string; run: readonly string[]; full?: readonly string[]; seconds: number; about: string }>
const { steps } = (await import(join(packageFolder, '.ci', 'steps.mjs'))) as { steps: readonly Step[] }
const { scripts } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}

/** What else a step runs is written in these. */
const helpers = new Map(
  filesBelow(join(packageFolder, '.ci'), '.mjs').map(file => [
    `.ci/${relative(join(packageFolder, '.ci'), file)}`,
    readFileSync(file, 'utf8')
  ])
)
/** Everything that steps run, as text: their commands, and the programs of .ci that these name. */
const commandTexts = steps
  .map(({ run, full = [] }) => [...run, ...full].join(' '))
  .flatMap(text => [text, ...[...helpers].flatMap(([file, code]) => (text.includes(file) ? [code] : []))])

/** The scripts that a text runs: `npm run x`, `npm test`, `npm start`; with those that npm runs before and after. */
function scriptsIn(text: string): readonly string[] {
  const named = [...text.matchAll(/\bnpm(?:'?,? ?[['(]*run)?(?:'?,? ?'?(?:-s|--silent))*'?,? ?'?(\w[\w:-]*)/g)].map(
    ([, name = '']) => name
  )
  return named
    .filter(name => name in scripts)
    .flatMap(name => [name, `pre${name}`, `post${name}`])
    .filter(name => name in scripts)
}

/** A script, and the program of bin/ that it runs: a release runs scripts too. */
const scriptText = (name: string): string =>
  [
    scripts[name] ?? '',
    ...[...(scripts[name] ?? '').matchAll(/dist\/(bin\/release\/[\w-]+)\.js/g)].map(([, file = '']) =>
      readFileSync(join(packageFolder, `${file}.ts`), 'utf8')
    )
  ].join('\n')

function allScripts(): ReadonlySet<string> {
  const found = new Set(commandTexts.flatMap(scriptsIn))
  for (const name of found) for (const next of scriptsIn(scriptText(name))) found.add(next)
  return found
}

/** Scripts that no step runs, each with its reason. */
const notRun: Readonly<Record<string, string>> = {
  dev: 'the journey of the author runs it',
  format: 'changes files; `lint` checks that it has nothing to do',
  'test:changed': 'some of `npm test`, for those who edit',
  'test:pages': 'some of `npm run test:long`, for those who edit pages'
}

t.test('each script of package.json is run by a step of .ci/run, or says why not', t => {
  const run = allScripts()
  t.strictSame(
    Object.keys(scripts).filter(name => !run.has(name) && !(name in notRun)),
    []
  )
  t.strictSame(
    Object.keys(notRun).filter(name => run.has(name) || !(name in scripts)),
    [],
    'and no exception is out of date'
  )
  t.end()
})

t.test('each test file is in a tier that a step runs', t => {
  const listed = (...options: readonly string[]): string[] =>
    execFileSync(process.execPath, [...program('test/run/main'), ...options, '--list'], {
      cwd: packageFolder,
      encoding: 'utf8'
    })
      .split('\n')
      .filter(line => line !== '')
  const optionsOf = (text: string): string[] => [...text.matchAll(/--(?:tier|effort)=\w+/g)].map(([option]) => option)
  const tiers = steps
    .map(({ run }) => run.join(' '))
    .flatMap(text => scriptsIn(text).map(name => optionsOf(`${scripts[name] ?? ''} ${text}`)))
  const run = new Set([...listed(), ...tiers.flatMap(options => (options.length === 0 ? [] : listed(...options)))])
  t.strictSame(
    testFiles()
      .map(({ file }) => file)
      .filter(file => !run.has(file)),
    []
  )
  t.end()
})

t.test('each other file of test/ is used by a test or by a program that a step runs', async t => {
  const below = (ending: string): string[] =>
    filesBelow(join(packageFolder, 'test'), ending)
      .map(path => relative(packageFolder, path))
      .filter(file => !/^test\/(?:fixture|tools\/node_modules)\//.test(file))
  const [all, texts] = [['.ts', '.tsx', '.mjs'].flatMap(below), new Map<string, string>()]
  for (const file of [...all, ...Object.keys(scripts).map(name => `script ${name}`)])
    texts.set(
      file,
      file.startsWith('script ') ? (scripts[file.slice(7)] ?? '') : readFileSync(join(packageFolder, file), 'utf8')
    )
  const used = new Set([...testFiles().map(({ file }) => file), ...[...allScripts()].map(name => `script ${name}`)])
  const folderOf = (file: string): string => file.split('/').slice(0, -1).join('/')
  const parts = all.map(file => ({
    file,
    folder: folderOf(file),
    stem: file.replace(/\.\w+$/, ''),
    name: file.replace(/^.*\/|\.\w+$/g, '')
  }))
  /**
   * Files that a text names: `test/x/y`, with or without an ending, or below `dist/` and `.test/`; a neighbour by its
   * name; a folder that is listed.
   */
  const namedIn = (from: string, text: string): readonly string[] => {
    const [own, listsOwn, listsCandidates] = [
      folderOf(from),
      text.includes('readdirSync(import.meta.dirname)'),
      from.startsWith('test/bench/') && text.includes('candidates/')
    ]
    return parts
      .filter(
        ({ file, folder, stem, name }) =>
          (listsOwn && folder === own && !file.endsWith('.test.ts')) ||
          (listsCandidates && stem.includes('/candidates/')) ||
          (text.includes(name) &&
            (text.includes(`${stem}'`) ||
              text.includes(`${stem}.`) ||
              (folder === own && (text.includes(`'${name}.`) || text.includes(`/${name}.`)))))
      )
      .map(({ file }) => file)
  }
  const seen = new Set<string>()
  while (seen.size < used.size) {
    const next = [...used].filter(file => !seen.has(file))
    const reached = await reachedFrom(next.filter(file => /\.tsx?$/.test(file)))
    for (const file of next) {
      seen.add(file)
      for (const other of [...reached(file), ...namedIn(file, texts.get(file) ?? '')]) used.add(other)
    }
  }
  t.strictSame(
    all.filter(file => !used.has(file)),
    []
  )
})

t.test('each step has a name of its own, a sentence and a budget; all of them take at most fifty minutes', t => {
  t.equal(new Set(steps.map(({ id }) => id)).size, steps.length)
  for (const { id, about, seconds } of steps) t.ok(about.length > 10 && seconds > 0, id)
  t.ok(steps.reduce((sum, { seconds }) => sum + seconds, 0) <= 3000)
  t.end()
})

t.test('the short round of a long load is no longer than two minutes', t => {
  for (const id of ['soak', 'hostile', 'bench']) {
    const { seconds = Infinity, run = [] } = steps.find(step => step.id === id) ?? {}
    t.ok(seconds <= 120 && run.join(' ').includes('--short'), `${id}: ${seconds} s`)
  }
  t.end()
})

t.test('pull requests run on the Nodes that the package is tried on', t => {
  const { jobs } = parse(readFileSync(join(packageFolder, '.github/workflows/ci.yaml'), 'utf8')) as {
    jobs: { check: { strategy: { matrix: { node: readonly string[] } } } }
  }
  t.ok(nodes.length > 1)
  t.strictSame(
    jobs.check.strategy.matrix.node.map(
      version => nodes.filter(node => `${node.version}.`.startsWith(`${version}.`)).length
    ),
    nodes.map(() => 1)
  )
  t.end()
})
