import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../support/command-line.ts'

const command = (name: string): string =>
  `export default { name: '${name}', summary: 'Counts shelves.', description: ['a', 'b'], options: [], examples: [['pantry ${name}', 'Count.']], exits: {}, run: async (_args, _options, io) => { io.stdout.write('7\\n'); return 0 } }\n`

t.test('a wrong file of a command is named, and takes no other command down', async t => {
  const root = libraryIn(t.testdir())
  mkdirSync(join(root, 'surfaces', 'commands'), { recursive: true })
  const files = {
    'shelves.js': command('shelves'),
    'broken.js': "throw new Error('half written')\n",
    'empty.js': 'export const x = 1\n',
    'again.js': command('validate'),
    'silent.js': command('silent').replace("description: ['a', 'b'], ", ''),
    'short.js': command('short').replace("['a', 'b']", "['a']")
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'surfaces', 'commands', name), text)
  const before = process.cwd()
  t.teardown(() => {
    process.chdir(before)
  })
  process.chdir(root)

  const help = await pantry(['--help'])
  t.equal(help.code, 0)
  t.match(help.stdout, / {2}shelves +Counts shelves/)
  t.match(
    help.stderr,
    /warning: surfaces\/commands\/broken\.js: The file cannot be imported: Error: half written at surfaces\/commands\/broken\.js:1:\d+\n/
  )
  t.match(help.stderr, /warning: surfaces\/commands\/empty\.js: The default export is no command/)
  t.match(help.stderr, /warning: surfaces\/commands\/again\.js: There is already a command `validate`/)
  for (const name of ['silent', 'short'])
    t.match(
      help.stderr,
      `warning: surfaces/commands/${name}.js: The member \`description\` of the command must be a list of two texts.`
    )
  t.equal((await pantry(['validate'])).code, 0)
  t.match(await pantry(['shelves']), { code: 0, stdout: '7\n' })
  t.match(await pantry(['broken']), {
    code: 2,
    stdout: '',
    stderr: /broken\.js: The file cannot be imported[^]*unknown command/
  })
})
