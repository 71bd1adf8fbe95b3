import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { variables } from '../bin/config.ts'
import { broughtCommands } from '../bin/brought-commands.ts'
import { commands } from '../bin/commands/index.ts'
import { packageFolder } from '../bin/roots.ts'
import { kindNames } from '../core/kinds/names.ts'

const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8')
const readme = read('README.md')
const codes = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(found => found[1] ?? '')
const section = (title: string): string => readme.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
const rows = (title: string): string[][] => section(title).split('\n').filter(line => line.startsWith('| ')).slice(1).map(line => line.split('|').slice(1, -1).map(cell => cell.trim()))

t.test('the environment table is the list of variables the program reads', t => {
  t.strictSame(rows('Environment').map(([name, , meaning]) => [codes(name ?? '')[0], meaning]), variables.map(({ name, meaning }) => [name, meaning]))
  t.strictSame(rows('Environment').map(([, fallback]) => fallback?.replaceAll('`', '')), variables.map(({ fallback }) => fallback))
  t.end()
})

t.test('the README names every command, and the kinds as they are called', async t => {
  const named = rows('Commands').flatMap(([cell]) => codes(cell ?? '')).map(text => text.replace(/^pantry /, '').split(' ')[0])
  t.strictSame([...new Set(named)].sort(), [...commands, ...(await broughtCommands()).brought].map(({ name }) => name).sort())
  t.strictSame(rows('Kinds').map(([cell]) => codes(cell ?? '')[0] ?? '').filter(name => !kindNames.includes(name)), [], 'and no kind that there is not')
})

t.test('the code map names every folder of core', t => {
  const map = read('core/README.md')
  for (const folder of readdirSync(join(packageFolder, 'core'), { withFileTypes: true }).filter(entry => entry.isDirectory())) t.match(map, `\`${folder.name}/\``)
  t.end()
})

t.test('the table of folders is the top level', t => {
  const shown = rows('Folders').map(([cell]) => codes(cell ?? '')[0])
  const hidden = new Set(['node_modules', 'dist'])
  const real = readdirSync(packageFolder, { withFileTypes: true }).filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && !hidden.has(entry.name)).map(entry => `${entry.name}/`)
  t.strictSame([...shown].sort(), real.sort())
  t.end()
})
