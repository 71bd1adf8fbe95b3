import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/project.ts'
import { pantry, libraryIn } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'

/** The files that a guide shows: blocks of code which begin with their name. */
const files = [...readFileSync(join(packageFolder, 'docs/tables.md'), 'utf8').matchAll(/(?:^ {4}.*\n|^\n(?= {4}))+/gm)]
  .map(([block]) => block.replaceAll(/^ {4}/gm, '').trim())
  .flatMap(text => {
    const name = /^\/\/ (surfaces\/\S+)\n/.exec(text)?.[1]
    return name === undefined ? [] : [{ name, text }]
  })

t.test('the code of the guide fills a table at the start, and by a command', async t => {
  t.strictSame(
    files.map(({ name }) => name),
    ['surfaces/services.js', 'surfaces/commands/squares.js']
  )
  const { database, url } = await testDatabase(t, 'empty')
  // Below this package, whose name the code imports.
  const root = libraryIn(t.testdir())
  const migration = `export const up = knex => knex.schema.createTable('squares', table => {
    table.integer('number').primary()
    table.integer('square').notNullable()
    table.text('note')
  })
  export const down = knex => knex.schema.dropTable('squares')
  `
  for (const { name, text } of [...files, { name: 'migrations/0001_squares.js', text: migration }]) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const env = { DATABASE_URL: url }
  const before = process.cwd()
  t.teardown(() => {
    process.chdir(before)
  })
  process.chdir(root)
  const ran = await pantry(['squares'], env)
  t.match(ran, { code: 0, stderr: /1000 squares are written\./ }, relative(before, root))
  const last = (): PromiseLike<unknown> => database.knex('squares').where({ number: 1000 }).first()
  t.strictSame(await last(), { number: 1000, square: 1_000_000, note: null })
  await database.knex('squares').where({ number: 1000 }).delete()
  t.equal((await pantry(['squares'], env)).code, 0)
  t.strictSame(await last(), { number: 1000, square: 1_000_000, note: null }, 'again, without doubles')
  t.equal((await pantry(['test'], env)).code, 0, 'a start in an empty database fills it too')
})
