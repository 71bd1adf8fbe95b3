import type { Test } from 'tap'
import type { Derivation, Handler, Reply, SurfaceRequest } from '../../../core/handler/handler.ts'
import { finishMirror } from '../../../core/contract/math-mirror.ts'
import type { Service } from '../../../core/manifest/service.ts'
import type { Registry } from '../../../core/registry/registry.ts'
import { CardHistory } from '../../../surfaces/cards/card-history.ts'
import { GameDirectory, type Game } from '../../../surfaces/cards/games.ts'
import { Catalogue } from '../../../surfaces/cards/catalogue.ts'
import { encodingDocument } from '../../../surfaces/cards/documents/encoding.ts'
import { Rarities } from '../../../surfaces/cards/rarities.ts'
import type { Database } from '../../../core/database/database.ts'
import { MarketReads, offeredCards } from '../../../surfaces/market/reads.ts'
import { Trust } from '../../../surfaces/market/trust.ts'
import type { Services } from '../../../surfaces/services.ts'
import type { Source } from '../../../surfaces/import/source.ts'
import { testDatabase } from '../../support/database.ts'
import { pathTo } from '../../support/path-to.ts'
import { insertCatalogue } from './catalogue-rows.ts'
import type { Document } from './recompute.ts'

export const now = new Date('2026-11-20T12:00:00.000Z')

const service = { name: 'A service', base_url: 'https://service.example' } as Service

export const requestOf = (given: Partial<SurfaceRequest> = {}): SurfaceRequest => ({
  method: 'GET',
  path: '/',
  rawQuery: new Map(),
  params: {},
  query: {},
  body: undefined,
  bytes: undefined,
  files: {},
  corpora: {},
  headers: {},
  caller: { grants: [] },
  callerHash: 'feedfacefeedface',
  signal: new AbortController().signal,
  requireMatch: () => undefined,
  now,
  service,
  pathTo,
  ask: () => Promise.resolve(undefined),
  ...given
})

const source = (id: string, games: readonly string[], access: Source['access']): Source => ({
  id,
  label: `The ${id}`,
  games,
  languages: ['en'],
  upstream: { name: id },
  license: null,
  license_statement: 'None.',
  payload_rights: 'NOASSERTION',
  source_license: 'NOASSERTION',
  access,
  access_reason: `It is ${access}.`,
  cadence: 'Never.',
  freshness_budget_seconds: 1
})

/** Registered sources: two that are read, one of another game, one blocked and one planned. */
export const sources: ReadonlyMap<string, Source> = new Map(
  [
    source('one-source', ['op'], 'wired'),
    source('two-source', ['op', 'dm'], 'wired'),
    source('other-source', ['zz'], 'wired'),
    source('blocked-source', ['op'], 'blocked'),
    source('planned-source', ['op', 'zz'], 'planned')
  ].map(entry => [entry.id, entry])
)

/** The answer of a handler, and its document as text and as a value. */
export type Ask = (
  code: Handler<Services> | Derivation,
  given?: Partial<SurfaceRequest>
) => Promise<{ reply: Reply; text: string; document: Document }>

/** Calls handlers over a small catalogue in a database of its own. */
export async function catalogueOf(
  t: Test
): Promise<{ services: Services; ask: Ask; encoding: Document; database: Database }> {
  const { database } = await testDatabase(t)
  await insertCatalogue(database)
  const encodingText = encodingDocument('pantry-cards/universal/v1')
  // What handlers of the catalogue use; the rest of the services has tests of its own.
  const held: Pick<Services, 'catalogue' | 'cardHistory' | 'encoding' | 'rarities' | 'sources' | 'auctions' | 'games'> =
    {
      auctions: new MarketReads(database, new Trust(database), offeredCards(database.reader)),
      catalogue: new Catalogue(database),
      cardHistory: new CardHistory(database),
      encoding: 'pantry-cards/universal/v1',
      games: new GameDirectory([
        { token: 'op', name: 'One Piece Card Game', slug: 'one-piece', aliases: [] as readonly string[] } as Game
      ]),
      sources,
      rarities: new Rarities(new Map(), () => ({ reason: 'No boosters are described.' }))
    }
  const services = held as Services
  return {
    services,
    database,
    encoding: JSON.parse(finishMirror(encodingText, now)) as Document,
    ask: async (code, given) => {
      const reply =
        'derive' in code
          ? code.derive({ corpora: {}, pathTo, registry: { service: { encoding: held.encoding } } as Registry })
          : await code.handle(requestOf(given), services)
      const text = reply.mirror === undefined ? JSON.stringify(reply.data) : finishMirror(reply.mirror, now)
      return { reply, text, document: JSON.parse(text) as Document }
    }
  }
}
