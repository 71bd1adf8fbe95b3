// test: slow.
import { createHash } from 'node:crypto'
import t from 'tap'
import { importBundled } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { declaredSources } from './bundled-sources.ts'

/**
 * What all content hashes gave before printings had products (commit 41dc2a85): their number, and the SHA-256 of the
 * lines `token hash`. Others read them for identities, so a new fact moves none. Write them again only where a new
 * version of a bundled package has other rows.
 */
const before = {
  cards: [28_628, '1ec0cc8337fbdd8e8cb586afc6693aa37f99e387aa1612249d44b578d0a7f6dd'],
  sets: [190, 'cd8fc77325fa20792aedbf3a23357c762dee4c347f3db123ca7dc751e76746c1'],
  games: [3, 'e5fab80dc68b34a3c9f6414a90ae6aa9b620f3d1c3b96ab61a6f2eddcbee1d8b']
}

const tokens = { cards: 'sku', sets: "game || ' ' || code_key", games: 'token' }

t.test('no content hash of a bundled card, set or game changes', async t => {
  const { database } = await testDatabase(t)
  await importBundled(database, declaredSources().values())
  const now = Object.fromEntries(
    await Promise.all(
      Object.entries(tokens).map(async ([table, token]) => {
        const { rows } = await database.bulk.raw<{ rows: { line: string }[] }>(
          `select ${token} || ' ' || content_hash as line from ${table}`
        )
        const lines = rows.map(({ line }) => line).sort()
        return [table, [lines.length, createHash('sha256').update(lines.join('\n')).digest('hex')]] as const
      })
    )
  )
  t.same(now, before)
})
