import { Count, Text, Type, unavailable } from 'pantry/data'
import type { Database } from 'pantry/database'
import { valueFilters } from './attributes.ts'
import type { GameDirectory } from './games.ts'
import type { CatalogueCache } from './kept.ts'
import { isRarity } from './search/query-fields.ts'

/** A field of cards (`set`, `rarity` or the name of an attribute), and which of its values are meant. */
type FieldFilter = readonly [field: string, isMeant: (value: string | number) => boolean]

/**
 * Returns the filters by `rarity` and attributes of a query, and that by a set. `set` is a canonical code; `spoken` has
 * other words for the rarities of the game.
 */
export function wantedOf(
  query: Readonly<{ rarity?: string | undefined }>,
  { set, spoken }: Readonly<{ set: string | undefined; spoken: ReturnType<GameDirectory['spokenRarities']> }>
): readonly FieldFilter[] {
  const { rarity } = query
  const filters: FieldFilter[] = []
  if (set !== undefined) filters.push(['set', value => value === set])
  if (rarity !== undefined) filters.push(['rarity', value => isRarity(String(value), rarity, spoken)])
  return [...filters, ...valueFilters(query)]
}

type Drawn = Readonly<{ sku: string; drawn_from: number }>
type DrawCard = (among: Readonly<{ game: string }>, chance: number) => Promise<Drawn | undefined>

/** The values of a field, each with the places of the cards that have it: from 0, by set and then by SKU. */
type Places = readonly Readonly<{ value: string | number; places: Uint32Array }>[]

/** Where the cards of a game are that have a value, and how many cards the game has. */
type PlacesOfGame = Readonly<{ total: number; fields: ReadonlyMap<string, Places> }>

const Row = Type.Object({ field: Text, value: Text, is_number: Type.Boolean(), places: Text, total: Count })

/** Reads numbers of four bytes each, most significant byte first, from hexadecimal text. */
function numbersOf(hex: string): Uint32Array {
  const bytes = Buffer.from(hex, 'hex')
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32BE(at * 4))
}

/**
 * Reads all cards of a game with one statement without a time limit. Attributes that are the same text, as those of the
 * printings of a card are, are expanded once.
 */
async function readPlaces({ bulk, rows }: Pick<Database, 'bulk' | 'rows'>, game: string): Promise<PlacesOfGame> {
  const read = await rows(
    Row,
    bulk.raw(
      `
    with placed as (
      select (row_number() over (order by set_id, sku))::int - 1 as place, set_id, rarity, attributes::text as attributes
      from cards where game = ?
    ), kinds as (
      select attributes, string_agg(int4send(place), '') as places from placed where attributes is not null group by 1
    )
    select field, value, is_number, encode(string_agg(places, ''), 'hex') as places,
      (select count(*)::int from placed) as total
    from (
      select 'set' as field, s.code_key as value, false as is_number, int4send(place) as places
      from placed join sets s on s.id = set_id
      union all select 'rarity', rarity, false, int4send(place) from placed where rarity <> ''
      union all
      select a.key, v.value #>> '{}', jsonb_typeof(v.value) = 'number', places
      from kinds cross join lateral jsonb_each(attributes::jsonb) a
        cross join lateral jsonb_path_query(a.value, '$[*]') v(value)
      where jsonb_typeof(v.value) in ('string', 'number')
    ) stated group by field, value, is_number`,
      [game]
    )
  )
  const fields = new Map<string, Places[number][]>()
  for (const { field, value, is_number: isNumber, places } of read) {
    const known = fields.get(field) ?? []
    known.push({ value: isNumber ? Number(value) : value, places: numbersOf(places) })
    fields.set(field, known)
  }
  return { total: read[0]?.total ?? 0, fields }
}

/** Returns the places of the cards that have a value that is meant in each field. */
function placesOf({ total, fields }: PlacesOfGame, wanted: readonly FieldFilter[]): Uint32Array {
  const fulfilled = new Uint8Array(total)
  for (const [index, [field, isMeant]] of wanted.entries())
    for (const { value, places } of fields.get(field) ?? [])
      if (isMeant(value)) for (const place of places) if (fulfilled[place] === index) fulfilled[place] = index + 1
  let found = 0
  for (const count of fulfilled) if (count === wanted.length) found++
  const matching = new Uint32Array(found)
  for (let place = 0, at = 0; place < total; place++) if (fulfilled[place] === wanted.length) matching[at++] = place
  return matching
}

const attempts = 3

/**
 * Returns a function that draws the card at a position between 0 (first) and 1 (after the last) among the cards of a
 * game that are all that is wanted; `undefined` when there are none. Every such card is equally likely. Where which
 * cards of the game are is read once for each version of the catalogue: four bytes for each value of a card. Throws
 * `SOURCE_UNAVAILABLE` when the catalogue changes again and again meanwhile.
 */
export const filteredDrawer =
  (database: Pick<Database, 'bulk' | 'rows'>, kept: Pick<CatalogueCache, 'of' | 'version'>, drawCard: DrawCard) =>
  async (game: string, wanted: readonly FieldFilter[], chance: number): Promise<Drawn | undefined> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const version = await kept.version()
      const ofGame = await kept.of(`places ${game}`, () => readPlaces(database, game))
      const matching = placesOf(ofGame, wanted)
      const place = matching[Math.floor(chance * matching.length)]
      if (place === undefined) return undefined
      const drawn = await drawCard({ game }, (place + 0.5) / ofGame.total)
      // A place means another card in another version.
      if (drawn !== undefined && (await kept.version()) === version)
        return { sku: drawn.sku, drawn_from: matching.length }
    }
    throw unavailable('The cards are changing now. Please try again in a moment.', 1, { subsystem: 'catalogue' })
  }
