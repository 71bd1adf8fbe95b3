import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../bin/project.ts'
import { everyFile } from './support/source-code.ts'

/*
 * Files that other programs read: GitHub, Dependabot, editors. None of them runs here, so their form is what can be
 * checked. No package of the registry brings the schemas of these without asking a network, so each has a small one
 * here, of the keys that it uses: a key that is misspelt, or new, is refused. `test/workflows.test.ts` has workflows.
 */

const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }

const text = { type: 'string', minLength: 1 }
const texts = { type: 'array', items: text, minItems: 1 }
const closed = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter(name => !optional.includes(name)),
  additionalProperties: false
})
const extensions = { type: 'array', items: { type: 'string', pattern: '^[a-z0-9-]+\\.[a-z0-9-]+$' }, minItems: 1 }

const schemas: Readonly<Record<string, object>> = {
  '.github/dependabot.yml': closed({
    version: { const: 2 },
    updates: {
      type: 'array',
      items: closed(
        {
          'package-ecosystem': { enum: ['npm', 'github-actions', 'docker'] },
          directory: { type: 'string', pattern: '^/' },
          schedule: closed({ interval: { enum: ['daily', 'weekly', 'monthly'] }, day: { const: 'monday' } }, ['day']),
          groups: {
            type: 'object',
            additionalProperties: closed(
              {
                'dependency-type': { enum: ['development', 'production'] },
                'update-types': { type: 'array', items: { enum: ['major', 'minor', 'patch'] } },
                patterns: texts
              },
              ['dependency-type', 'update-types', 'patterns']
            )
          }
        },
        ['groups']
      )
    }
  }),
  // Settings are those of an editor and of its extensions: only their names have a form.
  '.vscode/settings.json': { type: 'object', propertyNames: { pattern: '^(?:\\[\\w+\\]|\\w+(?:\\.\\w+)+)$' } },
  '.vscode/extensions.json': closed({ recommendations: extensions }),
  '.vscode/launch.json': closed({
    version: { const: '0.2.0' },
    configurations: {
      type: 'array',
      items: closed({
        name: text,
        type: { const: 'node' },
        request: { enum: ['launch', 'attach'] },
        runtimeExecutable: { const: 'npm' },
        runtimeArgs: texts,
        console: { enum: ['integratedTerminal', 'internalConsole', 'externalTerminal'] },
        skipFiles: texts
      })
    }
  }),
  '.devcontainer/devcontainer.json': closed({
    name: text,
    image: text,
    postCreateCommand: text,
    postAttachCommand: text,
    forwardPorts: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 65_535 } },
    portsAttributes: { type: 'object', additionalProperties: closed({ label: text }) },
    customizations: closed({ vscode: closed({ extensions }) })
  })
}

const mistakesIn = (file: string, value: unknown): readonly string[] => {
  const ajv = new Ajv2020({ allErrors: true })
  ajv.validate(schemas[file] ?? false, value)
  return (ajv.errors ?? []).map(({ instancePath, message = '' }) => `${file}${instancePath} ${message}`)
}

/** JSON is YAML. */
const valueOf = (file: string): unknown => parse(read(file))

t.test('what GitHub and editors read has the form that they expect', async t => {
  for (const file of Object.keys(schemas)) t.strictSame(mistakesIn(file, valueOf(file)), [], file)
  const there = ['.vscode', '.devcontainer'].flatMap(folder => everyFile(packageFolder, folder))
  t.strictSame(
    there.filter(file => !(file in schemas)),
    [],
    'no file is left out'
  )
  t.not(mistakesIn('.vscode/launch.json', { version: '0.2.0', configuration: [] }).length, 0, 'a mistake is found')
  t.not(mistakesIn('.github/dependabot.yml', { version: 2, updates: [{ directory: 'x' }] }).length, 0)
})

t.test('updates are proposed for every lockfile, and for what else there is', async t => {
  const { updates } = valueOf('.github/dependabot.yml') as {
    updates: readonly Readonly<{ 'package-ecosystem': string; directory: string }>[]
  }
  const asked = (ecosystem: string): readonly string[] =>
    updates.filter(one => one['package-ecosystem'] === ecosystem).map(({ directory }) => directory.slice(1))
  const lockfiles = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: packageFolder, encoding: 'utf8' })
    .split('\n')
    .filter(file => file !== '' && !file.startsWith('test/fixture/'))
    .map(file => dirname(file).replace(/^\.$/, ''))
  t.strictSame([...asked('npm')].sort(), lockfiles.sort())
  t.strictSame(asked('docker'), existsSync(join(packageFolder, 'Dockerfile')) ? [''] : [])
  t.strictSame(asked('github-actions'), [''])
})

t.test('what an editor starts is there, on a Node that the package takes', async t => {
  const { configurations } = valueOf('.vscode/launch.json') as {
    configurations: readonly Readonly<{ runtimeArgs: readonly string[] }>[]
  }
  for (const { runtimeArgs } of configurations) t.ok((runtimeArgs[0] ?? '') in scripts, runtimeArgs.join(' '))
  const container = valueOf('.devcontainer/devcontainer.json') as Record<string, string> & {
    customizations: { vscode: { extensions: readonly string[] } }
  }
  t.match(container['image'], /:22$/)
  t.match(container['postCreateCommand'], /^npm ci\b.*git config core\.hooksPath \.githooks$/)
  // The README has the same two.
  for (const command of ['npm start', 'npm test']) {
    t.ok(container['postAttachCommand']?.includes(command), command)
    t.match(read('README.md'), `npm ci && ${command}`)
  }
  const { recommendations } = valueOf('.vscode/extensions.json') as { recommendations: readonly string[] }
  t.strictSame(container.customizations.vscode.extensions, recommendations)
})

t.test('nobody is named as an owner who is not known', async t => {
  const lines = read('.github/CODEOWNERS').split('\n')
  t.strictSame(
    lines.filter(line => line !== '' && !line.startsWith('#')),
    []
  )
})

t.test('no document claims that what runs only elsewhere has run', async t => {
  const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: packageFolder, encoding: 'utf8' })
    .split('\n')
    .filter(file => file !== '' && file !== 'CHANGELOG.md' && !file.startsWith('test/fixture/'))
  const badge = /!\[[^\]]*\]\([^)]*(?:badge|shields\.io|\/workflows\/)/i
  const claim =
    /\b(?:CodeQL|Dependabot|dev ?container|npm audit)\b[^.\n]*\b(?:pass(?:es|ed)|succeed(?:s|ed)|found nothing|finds nothing|is green|has run|was run)\b/i
  t.match('![CI](https://example.org/a/actions/workflows/ci.yaml/badge.svg)', badge)
  t.match('CodeQL has run and found nothing.', claim)
  for (const file of documents) {
    t.notMatch(read(file), badge, file)
    t.notMatch(read(file), claim, file)
  }
})
