import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { scratchFolder } from '../support/scratch.ts'

const { url } = await testDatabase(t)
const env = { DATABASE_URL: url }

t.test('all sources that have a folder are imported; one with an open condition is passed over and told', async t => {
  const folder = scratchFolder(t)
  const write = (path: string, value: unknown): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(value))
  }
  const card = { expansion: 341, card_number: '1', card_title: 'A', house: 'Dis' }
  write('keyforge-cards-json/cards.json', [
    { ...card, id: 'a' },
    { ...card, id: 'b' }
  ])
  write('keyforge-cards-json/expansions.json', [{ id: 341, name: 'Call' }])
  write('swu-json/sets/One.json', [{ Set: 'ONE', Number: '001', Name: 'B' }])
  write('swccg-card-json/Dark.json', { cards: [] })
  write('no-source/cards.json', [])
  const { code, stdout, stderr } = await pantry(['import', '--all', '--from', folder], env)
  t.equal(code, 0)
  t.match(stdout, /keyforge-cards-json +2 +1 +0 +1 +\S+ +\d* +\d+/)
  t.match(stdout, /swu-json +1 +1 +0 +0 /)
  t.match(stdout, /2 sources +3 +2 +0 +1 /)
  t.match(stdout, /keyforge-cards-json +1 +Another row of this source has the same SKU\./)
  t.match(
    stderr,
    /passed over: Source `swccg-card-json` .*condition of its upstream is open: .* with `--conditions-met`\.$/m
  )
  t.match(
    await pantry(['import', '--all', '--from', folder], env),
    { stdout: /2 sources +3 +0 +2 +1 / },
    'a second time nothing is written'
  )
})

t.test(
  'what is wrong with the files of one source is told at its declaration, and does not keep the others from being imported',
  async t => {
    const folder = scratchFolder(t)
    const write = (path: string, value: unknown): void => {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), JSON.stringify(value))
    }
    write('keyforge-cards-json/cards.json', [
      { id: 'a', expansion: 341, card_number: '1', card_title: 'a.png', house: 'Dis' }
    ])
    write('keyforge-cards-json/expansions.json', [])
    write('onr-cards-json/other.json', [])
    write('swu-json/sets/Two.json', [{ Set: 'TWO', Number: '001', Name: 'B' }])
    const { code, stdout, stderr } = await pantry(['import', '--all', '--from', folder], env)
    t.equal(code, 1)
    t.match(
      stderr,
      /corpora\/sources\/entries\/keyforge-cards-json\.yaml:[0-9]+:[0-9]+: error\[C208\]: `name` holds a picture in 1 of 1 row, first `[^`]+` in `a`\.\n[^]*name: /
    )
    t.match(stderr, /onr-cards-json\.yaml:[0-9]+:[0-9]+: error\[C208\]: There is no file `cards\.json`/)
    t.notMatch(stderr, /^ +at /m, 'without a stack trace')
    t.match(stdout, /swu-json +1 +1 +0 +0 /)
  }
)

t.test('--all needs a folder and no names', async t => {
  t.match(await pantry(['import', '--all'], env), { code: 2, stderr: /`--all` needs `--from`/ })
  t.match(await pantry(['import', 'swu-json', '--all', '--from', '.'], env), { code: 2, stderr: /name none/ })
})
