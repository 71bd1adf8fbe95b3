// test: long. Commands in processes of their own, each with a server of PostgreSQL.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { scratchFolder } from '../support/scratch.ts'

const folder = scratchFolder(t)
const { url } = await testDatabase(t)
const { url: other, database } = await testDatabase(t, 'empty')
const [from, to] = [join(folder, 'from'), join(folder, 'to')]
const secret = 'c2VjcmV0'
const file = join(folder, 'kept.gz')
const env = { DATABASE_URL: url, PANTRY_DATA_DIR: from }
const into = { DATABASE_URL: other, PANTRY_DATA_DIR: to }

await t.test(
  'a backup is one file for its owner alone, with the tables and the secrets, and overwrites nothing',
  async t => {
    t.equal((await pantry(['backup', file], env)).code, 0, 'a data folder that is not there has no secrets')
    t.match(await pantry(['backup', file], env), { code: 2, stderr: /exists\. Give another name/ })
    mkdirSync(from)
    writeFileSync(join(from, 'practice-secret'), secret, { mode: 0o600 })
    writeFileSync(join(from, 'notes'), 'for everybody', { mode: 0o644 })
    t.match(await pantry(['backup', join(folder, 'second.gz')], env), { code: 0, stdout: /1 secret,/ })
    t.equal(statSync(join(folder, 'second.gz')).mode & 0o777, 0o600)
    t.match(
      gunzipSync(readFileSync(join(folder, 'second.gz'))).toString(),
      `{"practice-secret":"${Buffer.from(secret).toString('base64')}"}`
    )
    t.notOk(existsSync(`${file}.part`))
  }
)

await t.test('it is restored with its secrets, and never over another secret', async t => {
  t.match(await pantry(['restore', join(folder, 'second.gz')], into), { code: 0, stdout: /1 secret\n$/ })
  t.equal(readFileSync(join(to, 'practice-secret'), 'utf8'), secret)
  t.equal(statSync(join(to, 'practice-secret')).mode & 0o777, 0o600)
  writeFileSync(join(to, 'practice-secret'), 'another')
  t.match(await pantry(['restore', join(folder, 'second.gz')], into), {
    code: 0,
    stderr: /`practice-secret` in the data folder is another/
  })
  t.equal(readFileSync(join(to, 'practice-secret'), 'utf8'), 'another')
})

await t.test('a folder is no backup, and neither is what is not there', async t => {
  t.match(await pantry(['restore', folder], into), {
    code: 3,
    stderr: /error\[O404\]: `.*` cannot be read: it is a folder/
  })
  t.match(await pantry(['restore', join(folder, 'none.gz')], into), { code: 3, stderr: /O404.*there is no such file/ })
})

await t.test('a damaged file changes nothing, wherever it is damaged', async t => {
  await database.bulk.raw('create table kept (one int); insert into kept values (1)')
  const bytes = readFileSync(file)
  const damaged = join(folder, 'damaged.gz')
  const text = gunzipSync(bytes)
  /** Deflate fills its last byte with bits that mean nothing. */
  const isWhole = (content: Buffer): boolean => {
    try {
      return gunzipSync(content).equals(text)
    } catch {
      return false
    }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.nat(bytes.length - 1).map(length => bytes.subarray(0, length)),
        fc
          .tuple(fc.integer({ min: 10, max: bytes.length - 1 }), fc.nat(7))
          .map(([at, bit]) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))))
      ),
      async content => {
        fc.pre(!isWhole(content))
        writeFileSync(damaged, content)
        const { code, stderr } = await pantry(['restore', damaged, '--replace'], into)
        return code === 1 && stderr.includes('Nothing was changed.')
      }
    ),
    { numRuns: 20 }
  )
  t.same((await database.bulk.raw<{ rows: object[] }>('select one from kept')).rows, [{ one: 1 }])
  t.ok(await database.bulk.schema.hasTable('cards'))
  t.match(await pantry(['restore', join(folder, 'absent.gz')], into), {
    code: 3,
    stderr: /^error\[O404\]: `\S+absent\.gz` cannot be read: there is no such file\.\nGive the name of a file/
  })
})
