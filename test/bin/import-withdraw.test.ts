import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { scratchFolder } from '../support/scratch.ts'

const { url, database } = await testDatabase(t)
const env = { DATABASE_URL: url }
const folder = scratchFolder(t)
mkdirSync(join(folder, 'sets'))
const write = (count: number): void => {
  writeFileSync(
    join(folder, 'sets', 'One.json'),
    JSON.stringify(
      Array.from({ length: count }, (_, index) => ({ Set: 'ONE', Number: String(index + 100), Name: 'A' }))
    )
  )
}
const load = (...more: string[]) => pantry(['import', 'swu-json', '--from', folder, ...more], env)
const held = async (): Promise<number> => (await database.knex('cards').select('sku')).length

t.test('an import that would withdraw too much ends with 1 and the list, until the number is said', async t => {
  write(60)
  t.match(await load(), { code: 0 })
  write(30)
  t.match(await load('--dry-run'), {
    code: 0,
    stdout: /swu-json: 30 cards that no source lists any more\n[^]*swu-one-130-en +gone[^]*swu-one-159-en/
  })
  t.match(await load(), {
    code: 1,
    stdout: '',
    stderr:
      /swu-one-130-en +gone[^]*error: Source `swu-json` is not imported: 30 of its 60 cards would be withdrawn\. If that is right, say `--allow-withdraw 30`\.\n/
  })
  t.equal(await held(), 60)
  t.match(await load('--allow-withdraw', 'all'), { code: 2, stderr: /takes a number of cards/ })
  t.match(await load('--allow-withdraw', '30'), { code: 0, stdout: /30 cards that no source lists any more/ })
  t.equal(await held(), 30)
})

t.test('a source is forgotten by its id, whether it is declared or not', async t => {
  t.match(await pantry(['import', 'swu-json', '--forget', 'swu-json'], env), { code: 2, stderr: /leave out names/ })
  t.match(await pantry(['import', '--forget', 'nobody'], env), {
    code: 2,
    stderr: /Nothing is held of a source `nobody`\. Held: swu-json\./
  })
  t.match(await pantry(['import', '--forget', 'swu-json', '--dry-run'], env), {
    code: 0,
    stderr: /nothing was written/
  })
  t.equal(await held(), 30)
  const { code, stdout } = await pantry(['import', '--forget', 'swu-json', '--format', 'json'], env)
  t.match([code, JSON.parse(stdout)], [0, { cards: 30, examples: [{ sku: 'swu-one-100-en', reason: 'forgotten' }] }])
  t.equal(await held(), 0)
})
