import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../bin/roots.ts'
import { commandsOf } from './journeys/with-documents.ts'
import { pantry, type Outcome } from './support/command-line.ts'
import { testDatabase } from './support/database.ts'
import { scratchFolder } from './support/scratch.ts'
import { startService } from './support/service.ts'

const examples = join(packageFolder, 'examples')
const names = readdirSync(examples)
const readme = (name: string): string => readFileSync(join(examples, name, 'README.md'), 'utf8')

/** The words of a command, as a shell would hand them over. */
const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

/** What the last command answers, as the text shows it. */
const shownIn = (text: string): unknown => JSON.parse(/```json\n([^]*?)```/.exec(text)?.[1] ?? 'null')

t.test('each example is linked from the guide', async t => {
  const guide = readFileSync(join(packageFolder, 'docs', 'own-service.md'), 'utf8')
  t.ok(names.length > 0)
  t.strictSame(
    names.filter(name => !guide.includes(`](../examples/${name}/README.md)`)),
    []
  )
})

for (const name of names) {
  t.test(`examples/${name} says where its data comes from, and under which license`, async t => {
    const said = /^\*\*Data:\*\*[^]*$/m.exec(readme(name))?.[0] ?? ''
    t.match(said, /\bSource: \S|\b(?:invented|written) for this example\b/)
    t.match(said, /\bon \d{4}-\d\d-\d\d\b/)
    const corpora = readdirSync(join(examples, name, 'corpora'))
    for (const corpus of corpora) {
      const file = join(examples, name, 'corpora', corpus, 'corpus.yaml')
      const { license } = parse(readFileSync(file, 'utf8')) as { license: string }
      t.ok(said.includes(license), `${corpus}: ${license}`)
    }
  })

  t.test(`examples/${name} is valid, keeps its promises, and answers as its README says`, async t => {
    // `pantry test` writes what its examples write, so it gets a database of its own.
    const [{ url }, tested] = [await testDatabase(t, 'empty'), await testDatabase(t, 'empty')]
    const env = { DATABASE_URL: url, LOG_LEVEL: 'silent', PANTRY_DATA_DIR: scratchFolder(t) }
    const before = process.cwd()
    process.chdir(packageFolder)
    t.teardown(() => {
      process.chdir(before)
    })
    const commands = commandsOf(`examples/${name}/README.md`).map(({ text }) => wordsOf(text))
    const root = ['--root', `examples/${name}`]
    let last: Outcome | undefined
    for (const [npx, program, ...args] of commands) {
      t.strictSame([npx, program, ...args.slice(-2)], ['npx', 'pantry', ...root], args.join(' '))
      if (args[0] === 'serve') {
        const service = await startService(t, { args: args.slice(1), env })
        t.equal((await fetch(service.url)).status, 200, args.join(' '))
      } else {
        last = await pantry(
          args[0] === 'validate' ? [...args, '--warnings-as-errors'] : args,
          args[0] === 'test' ? { ...env, DATABASE_URL: tested.url } : env
        )
        t.equal(last.code, 0, `${args.join(' ')}: ${last.stdout}${last.stderr}`)
      }
    }
    t.strictSame(
      ['validate', 'test', 'serve', 'get'].filter(command => !commands.some(words => words[2] === command)),
      [],
      'a README has all of them'
    )
    const shown = shownIn(readme(name))
    t.type(shown, 'object')
    t.match((JSON.parse(last?.stdout ?? '{}') as { data?: unknown }).data, shown)
  })
}
