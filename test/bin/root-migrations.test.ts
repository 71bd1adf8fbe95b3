import t from 'tap'
import { codeInFiles, readMigrations } from '../../bin/root-modules.ts'

t.test('a file that exports no steps is named, with what it must export', async t => {
  const folder = t.testdir({
    '0001_trees.js': 'export async function up () {}\nexport async function down () {}\n',
    '0002_birds.js': 'export default { up () {}, down () {} }\n',
    '0003_bees.js': 'export async function up () {}\n'
  })
  const [trees, birds, bees] = readMigrations([...codeInFiles(folder, '.js').modules.values()], undefined)
  t.type((await trees!.load()).up, 'function')
  await t.rejects(birds!.load(), {
    code: 'O302',
    message: /0002_birds\.js.* does not export `up` and `down`/,
    fix: /^A migration is `export async function up/
  })
  await t.rejects(bees!.load(), { code: 'O302', message: /0003_bees\.js.* does not export `down`$/ })
})
