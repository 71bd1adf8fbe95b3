// test: long
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { endOf } from '../core/diagnostics/deprecations.ts'
import { packageFolder } from '../bin/project.ts'
import { testDatabase } from './support/database.ts'
import { program } from './support/program.ts'
import { scratchFolder } from './support/scratch.ts'
import { startService, stopService } from './support/service.ts'

const guide = readFileSync(join(packageFolder, 'docs/upgrading.md'), 'utf8')

/** The steps of the guide in its order: what is typed, and what is changed. */
const steps = [...guide.matchAll(/^```(sh|diff)\n([^]*?)^```$/gm)].map(([, form = '', text = '']) => ({ form, text }))

/** A service as `pantry init` wrote it before 0.2.0, with a page, a form and a shared schema by the guides of then. */
function earlierService(folder: string): void {
  cpSync(join(packageFolder, 'test/fixture/earlier/trees'), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(packageFolder, join(folder, 'node_modules/pantry'))
}

t.test('a service of an earlier version is brought to this one by the steps of the guide alone', async t => {
  const { url } = await testDatabase(t, 'empty')
  const folder = scratchFolder(t)
  earlierService(folder)
  // A process of its own for each command, because files of code change between them.
  const type = (words: readonly string[]): Promise<Readonly<{ code: number; said: string }>> =>
    new Promise(resolve => {
      const args = [...program('bin/commands/pantry'), ...words]
      const options = { cwd: folder, env: { ...process.env, DATABASE_URL: url } }
      const child = execFile(process.execPath, args, options, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, said: stdout + stderr })
      })
    })

  const { code, said } = await type(['validate'])
  t.equal(code, 1, 'something has to be done')
  const told = new Set([...said.matchAll(/\[(\w\d{3})\]/g)].map(found => found[1]))
  t.strictSame([...told].sort(), ['H114', 'M203', 'M446'])
  for (const one of told) t.match(guide, `\`${one ?? ''}\``, 'the guide has what is told')

  for (const { form, text } of steps) {
    if (form === 'diff') {
      execFileSync('git', ['apply', '-'], { cwd: folder, input: text })
      continue
    }
    for (const line of text.trim().split('\n')) {
      const [command = '', ...words] = line.split(' ')
      // The package is linked into the folder instead.
      if (line.startsWith('npm install ./pantry-')) continue
      if (command === 'rm') for (const name of words) rmSync(join(folder, name))
      else {
        t.strictSame([command, words[0]], ['npx', 'pantry'], line)
        const outcome = await type(words.slice(1))
        if (line !== 'npx pantry validate') t.equal(outcome.code, 0, `${line}\n${outcome.said}`)
      }
    }
  }

  const service = await startService(t, { args: ['--root', folder], env: { DATABASE_URL: url }, isLogRead: false })
  const form = { method: 'POST', headers: { Origin: service.url }, redirect: 'manual' } as const
  const sent = await fetch(`${service.url}/notes`, { ...form, body: new URLSearchParams({ text: 'A new note.' }) })
  t.match(sent, { status: 303 })
  t.match(await (await fetch(`${service.url}/notes`)).text(), '<li>A new note.</li>')
  const again = await fetch(`${service.url}/notes`, { ...form, body: new URLSearchParams({ text: 'A new note.' }) })
  t.equal(again.status, 409)
  t.match(await (await fetch(`${service.url}/api/v1/trees`)).json(), { data: { entries: { length: 2 } } })
  await stopService(service)
})

t.test('the guide says of each deprecation which version ends it', t => {
  for (const [code, version] of Object.entries(endOf))
    t.match(guide, new RegExp(`\`${code}\`[^.]*until ${version.replaceAll('.', '\\.')}`))
  t.end()
})
