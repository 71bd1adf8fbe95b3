import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { checkDeclaration } from '../../surfaces/import/check-source.ts'
import { withPolicies, type DeclaredSource } from '../../surfaces/import/policies.ts'
import { entriesOf } from '../surfaces/import/bundled-sources.ts'
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
    const { source } = withPolicies(parse(text) as DeclaredSource, entriesOf('source-policies'))
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
  t.match(await pantry(['new-source', 'a', '--from', '.', '--game', '../../op']), { code: 2, stderr: /token of a game/ })
  t.match(await pantry(['new-source', 'a', '--from', '.', '--game', 'op', '--language', '../en']), { code: 2, stderr: /language is a tag/ })
  t.match(await pantry(['new-source', 'a', '--from', 'nowhere', '--game', 'op']), { code: 2, stderr: /There is no folder/ })
})

t.test('of a copy of a repository the commit, its day and the public address are taken, and no program that it names is run', async t => {
  const folder = folderWith(t, shapes['CSV'] ?? {})
  const git = (...args: readonly string[]): string => execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { encoding: 'utf8', env: { ...process.env, GIT_COMMITTER_DATE: '2026-03-04T00:00:00Z' } }).trim()
  git('init', '-q')
  git('remote', 'add', 'origin', 'https://reader:SECRET@example.com/owner/cards.git')
  git('add', '.')
  git('commit', '-q', '-m', 'One')
  // A commit with a signature, and a program to check it with that leaves a trace.
  const signed = git('cat-file', 'commit', 'HEAD').replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n a\n -----END PGP SIGNATURE-----\n\n')
  writeFileSync(join(folder, '.git', 'signed'), `${signed}\n`)
  git('update-ref', 'HEAD', git('hash-object', '-t', 'commit', '-w', '.git/signed'))
  const program = join(folder, '.git', 'program.sh')
  writeFileSync(program, `#!/bin/sh\ntouch ${join(folder, 'RUN')}\n`, { mode: 0o755 })
  git('config', 'gpg.program', program)
  git('config', 'log.showSignature', 'true')
  const { stdout } = await pantry(['new', 'source', 'a-new-one', '--from', folder, '--game', 'op', '--dry-run'])
  t.match(stdout, `name: owner/cards\n  url: https://example.com/owner/cards\n  commit: ${git('rev-parse', 'HEAD')}\n  committed_on: 2026-03-04`)
  t.notMatch(stdout, 'SECRET')
  t.notOk(existsSync(join(folder, 'RUN')))
})
