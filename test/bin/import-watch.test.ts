import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { run } from '../../bin/commands/run.ts'
import { capture, pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scratchFolder } from '../support/scratch.ts'
import { dataFolder } from '../surfaces/import/lantern.ts'

const { url, database } = await testDatabase(t)

t.test(
  'a dry run that watches runs again when a file or the declaration changes, through mistakes, until it is told to stop',
  async t => {
    const [root, folder] = [scratchFolder(t), scratchFolder(t)]
    for (const name of ['games', 'attributes', 'source-policies', 'sources/corpus.yaml', 'sources/schema.yaml'])
      cpSync(join(packageFolder, 'corpora', name), join(root, 'corpora', name), { recursive: true })
    mkdirSync(join(root, 'manifests'))
    cpSync(join(dataFolder, 'mistakes'), folder, { recursive: true })
    const declaration = join(root, 'corpora', 'sources', 'entries', 'lantern.yaml')
    cpSync(join(folder, 'lantern.yaml'), declaration, { recursive: true })
    const { io, stdout, stderr } = capture({ DATABASE_URL: url })
    const ended = run(['import', 'lantern', '--root', root, '--from', folder, '--dry-run', '--watch'], io)
    const told = async (what: RegExp): Promise<void> => {
      await eventually(() => {
        assert.match(stdout() + stderr(), what)
      })
      t.pass(String(what))
    }
    const edit = (file: string, from: string, to: string): void => {
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    }

    await told(/name +5 .*First Lantern/)
    edit(join(folder, 'cards.json'), 'First Lantern', 'Last Lantern')
    await told(/name +5 .*Last Lantern/)
    edit(join(folder, 'sets.json'), '{', '')
    await told(/sets\.json[^]*nothing was imported/)
    cpSync(join(dataFolder, 'mistakes', 'sets.json'), join(folder, 'sets.json'))
    edit(declaration, 'name: card.name', 'name: card.kind')
    await told(/name +5 .*Character/)
    io.signals.emit('SIGINT')
    t.equal(await ended, 0)
    t.same(await database.knex('cards').select('sku'), [])
  }
)

t.test('only a dry run watches', async t => {
  t.match(await pantry(['import', 'swu-json', '--watch'], { DATABASE_URL: url }), {
    code: 2,
    stderr: /`--watch` goes with `--dry-run`/
  })
})
