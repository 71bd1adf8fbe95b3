import { join } from 'node:path'
import { packageFolder } from '../../../bin/roots.ts'
import type { Source } from '../../../surfaces/import/source.ts'

/** Folder of the small data files of these tests. */
export const dataFolder = join(packageFolder, 'test/surfaces/import/data')

/**
 * A source of an invented game that uses every part of the mapping language. Its rows hold prices, images, shop ids and
 * links marked CANARY.
 */
export const lantern: Source = {
  id: 'lantern',
  label: 'Lantern',
  games: ['lan'],
  languages: ['en', 'ja'],
  upstream: { name: 'lantern', url: 'https://example.com/lantern' },
  license: null,
  license_statement: 'Made for a test.',
  payload_rights: 'NOASSERTION',
  source_license: 'NOASSERTION',
  access: 'wired',
  where: 'folder',
  access_reason: 'Made for a test.',
  cadence: 'Never.',
  freshness_budget_seconds: 60,
  reader: {
    files: [
      { shape: 'json', path: 'en.json', set: { lang: 'en' } },
      { shape: 'json', path: 'ja.json', set: { lang: 'ja' } }
    ],
    rows: [{ as: 'list' }, { as: 'card', each: 'list' }],
    tables: {
      sets: {
        file: { shape: 'json', path: 'sets.json' },
        rows: [{ as: 'series' }, { as: 'set', each: 'series' }],
        key: 'set.code'
      }
    },
    map: {
      native_id: { join: ['file.lang', 'card.id'], with: ':' },
      game: { const: 'lan' },
      set_code: { path: 'card.no', pattern: '^(?<set>[^-]+)-', group: 'set' },
      set_name: {
        lookup: 'sets',
        key: { path: 'card.no', pattern: '^(?<set>[^-]+)-', group: 'set' },
        path: 'set.name.en'
      },
      set_name_translations: {
        lookup: 'sets',
        key: { path: 'card.no', pattern: '^(?<set>[^-]+)-', group: 'set' },
        path: 'set.name'
      },
      released_on: {
        lookup: 'sets',
        key: { path: 'card.no', pattern: '^(?<set>[^-]+)-', group: 'set' },
        path: 'set.released'
      },
      declared_total: {
        lookup: 'sets',
        key: { path: 'card.no', pattern: '^(?<set>[^-]+)-', group: 'set' },
        path: 'set.count'
      },
      number: 'card.no',
      sku_number: { path: 'card.no', pattern: '-(?<number>.+)$', group: 'number' },
      name: { path: 'card.name', transform: ['trim'] },
      lang: 'file.lang',
      variant: { path: 'card.id', pattern: '_(?<variant>.+)$', group: 'variant' },
      rarity: 'card.rarity',
      illustrators: { path: 'card.artist', transform: ['list'] },
      attributes: {
        category: { path: 'card.kind', none: [''], values: { PLACE: 'site' }, transform: ['lower'] },
        cost: { path: 'card.cost', transform: ['integer'] },
        types: { path: 'card.stamps', none: ['', '-'], transform: ['upper'] },
        block: { first: ['card.block', { const: 'none' }] }
      }
    }
  }
}
