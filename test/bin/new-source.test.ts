import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { checkDeclaration } from '../../surfaces/import/check-source.ts'
import type { Source } from '../../surfaces/import/source.ts'
import { pantry } from '../support/command-line.ts'
import { mappedRows } from '../support/mapped-rows.ts'
import { scratchFolder } from '../support/scratch.ts'

/** A folder with the given files; a value that is no text is written as JSON. */
function folderWith (t: Test, files: Readonly<Record<string, unknown>>): string {
  const folder = scratchFolder(t)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const row = (number: number) => ({ front: `https://example.com/CANARY-${number}`, id: `c${number}`, set_code: 'AB1', number, name: `Card ${number}`, rarity: number === 1 ? 'R' : 'C', price: '1.00', image_url: 'https://example.com/CANARY.png', tcgplayer_id: 'CANARY' })
const shapes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a list in JSON': { 'package.json': { name: 'x' }, 'data/cards.json': [row(1), row(2)] },
  'a list within a document': { 'cards.json': { made: 'today', data: { cards: [row(1), row(2)] } }, 'sets.json': [{ code: 'AB1', name: 'One' }] },
  'several files': { 'sets/a.json': [row(1)], 'sets/b.json': [row(2)] },
  YAML: { 'cards.yml': '- { id: c1, set_code: AB1, number: 1, name: Card 1, rarity: R }\n- { id: c2, set_code: AB1, number: 2, name: Card 2, rarity: C }\n' },
  CSV: { 'cards.csv': 'id,set_code,number,name,rarity\nc1,AB1,1,Card 1,R\nc2,AB1,2,Card 2,C\n' },
  'a table with tabs': { 'cards.txt': 'id\tset_code\tnumber\tname\trarity\nc1\tAB1\t1\tCard 1\tR\nc2\tAB1\t2\tCard 2\tC\n' },
  XML: { 'cards.xml': '<cards><card id="c1" set_code="AB1" number="1" rarity="R"><name>Card 1</name></card><card id="c2" set_code="AB1" number="2" rarity="C"><name>Card 2</name></card></cards>' }
}

for (const [shape, files] of Object.entries(shapes)) {
  t.test(`${shape}: the proposal is sound, and reads the rows`, async t => {
    const folder = folderWith(t, files)
    const { code, stdout, stderr } = await pantry(['new', 'source', 'a-new-one', '--from', folder, '--game', 'op', '--dry-run'])
    t.equal(code, 0, stderr)
    t.match(stderr, /unique +card\.id +100 % +2 +c1/)
    t.notMatch(stdout + stderr, /CANARY|card\.price|card\.image/, 'what is never kept is not even shown')
    const [, text = ''] = stdout.split(/^--- corpora\/sources\/entries\/a-new-one\.yaml\n/m)
    const source = parse(text) as Source
    t.same(checkDeclaration(source, () => true), [])
    const rows = []
    for await (const mapped of mappedRows(source.reader!, folder)) rows.push('sku' in mapped ? [mapped.sku, mapped.row.name, mapped.row.rarity] : mapped)
    t.same(rows, [['op-ab1-1-en', 'Card 1', 'R'], ['op-ab1-2-en', 'Card 2', 'C']])
  })
}

t.test('a game without an entry gets a skeleton; a folder without rows is told', async t => {
  t.match((await pantry(['new', 'source', 'a-new-one', '--from', folderWith(t, shapes['CSV'] ?? {}), '--game', 'zzz', '--dry-run'])).stdout, /--- corpora\/games\/entries\/zzz\.yaml\ntoken: zzz/)
  t.match(await pantry(['new-source', 'a-new-one', '--from', folderWith(t, { 'readme.md': 'x' }), '--game', 'op']), { code: 1, stderr: /No file in .* has rows/ })
  t.match(await pantry(['new-source', 'A', '--from', '.', '--game', 'op']), { code: 2, stderr: /lowercase words/ })
  t.match(await pantry(['new-source', 'a', '--from', 'nowhere', '--game', 'op']), { code: 2, stderr: /There is no folder/ })
})
