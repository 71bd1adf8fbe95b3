import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pantry, type Outcome } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { python } from '../support/python.ts'
import { scratchFolder } from '../support/scratch.ts'

const skip =
  (await python(['--version'])) === undefined ? 'the second reader needs python3, which this machine lacks' : false

const { database, url } = await testDatabase(t)
const folder = scratchFolder(t)
const write = (name: string): void => {
  mkdirSync(join(folder, 'sets'), { recursive: true })
  writeFileSync(join(folder, 'sets', 'One.json'), JSON.stringify([{ Set: 'ONE', Number: '001', Name: name }]))
}
const prove = async (...more: readonly string[]): Promise<Outcome> =>
  await pantry(['import', 'swu-json', '--from', folder, '--prove', ...more], { DATABASE_URL: url })

t.test('an import is proved, and what is held otherwise ends the command with 1', { skip }, async t => {
  write('Ahsoka')
  t.match(await prove(), {
    code: 0,
    stdout: /SOURCE +VERDICT +EQUAL .*\nswu-json +proved +1 +0 +0 +0 +0 +0 +1 +[0-9a-f]{64}/
  })
  await database.bulk.raw(`
    create function misspell() returns trigger language plpgsql as
    $$ begin new.row := jsonb_set(new.row::jsonb, '{name}', '"Ahsokka"'); return new; end $$;
    create trigger misspell before insert or update on observations for each row execute function misspell()`)
  write('Ahsoka Tano')
  const { code, stdout } = await prove()
  t.equal(code, 1)
  t.match(stdout, /swu-json +different +0 +1 /)
  t.match(stdout, /swu-json +different +\S+ +\S+ +row\.name +"Ahsoka Tano" +"Ahsokka"/)
  t.match(JSON.parse((await prove('--format', 'json')).stdout), [
    { source: 'swu-json', proof: { verdict: 'different', counts: { different: 1 }, first: [{ member: 'row.name' }] } }
  ])
})

t.test('a dry run holds nothing that could be proved', async t => {
  t.match(await prove('--dry-run'), { code: 2, stderr: /`--prove` compares what is held/ })
  t.match(await pantry(['import', '--forget', 'swu-json', '--prove'], { DATABASE_URL: url }), {
    code: 2,
    stderr: /`--forget` names the one source/
  })
})
