import { Count, Text, Type } from 'pantry/data'
import type { Database } from 'pantry/database'
import { isOfGame, type Attribute } from '../attributes.ts'
import type { CatalogueCache } from '../kept.ts'

/** The most values that are counted of a field. */
export const maxValues = 500

const Row = Type.Object({ field: Text, value: Text, is_number: Type.Boolean(), printings: Count, found: Count })

/** A value with the number of printings that have it. */
type CountedValue = Readonly<{ value: string | number; printings: number }>

/**
 * The commonest values of a field, first those that most printings have, then numbers before texts; `found` is the
 * number of all values.
 */
type FieldValues = Readonly<{ found: number; values: readonly CountedValue[] }>

const rarity = 'rarity'

/**
 * Returns the fields of a game whose values are counted: the rarity, then its attributes, except those whose values
 * name other cards.
 */
export const countedFields = (attributes: readonly Attribute[], game: string): readonly string[] => [
  rarity,
  ...attributes.filter(attribute => attribute.names_cards !== true && isOfGame(attribute, game)).map(({ name }) => name)
]

/**
 * Returns a function that counts the values of some fields of a game. It reads all cards of the game with one statement
 * without a time limit, but once for each version of the catalogue, also for concurrent callers. Fields without a value
 * are left out. Database failures throw `SOURCE_UNAVAILABLE`.
 */
export const valueCounter =
  ({ bulk, rows }: Pick<Database, 'bulk' | 'rows'>, kept: Pick<CatalogueCache, 'of'>) =>
  (game: string, fields: readonly string[]): Promise<ReadonlyMap<string, FieldValues>> =>
    kept.of(`values ${game} ${fields.join(' ')}`, async () => {
      const read = await rows(
        Row,
        bulk.raw(
          `
      select field, value, is_number, printings, found from (
        select field, value, is_number, sum(printings)::int as printings,
          (count(*) over (partition by field))::int as found,
          row_number() over (
            partition by field
            order by sum(printings) desc, is_number desc, case when is_number then value::numeric end, value collate "C"
          ) as place
        from (
          select '${rarity}' as field, rarity as value, false as is_number, count(*) as printings
          from cards where game = ? and rarity <> '' group by rarity
          union all
          select a.key, v.value #>> '{}', jsonb_typeof(v.value) = 'number', printings
          from (
            select attributes::text as attributes, count(*) as printings from cards
            where game = ? and attributes is not null group by 1
          ) kinds cross join lateral jsonb_each(attributes::jsonb) a
            cross join lateral jsonb_path_query(a.value, '$[*]') v(value)
          where a.key = any(?) and jsonb_typeof(v.value) in ('string', 'number')
        ) stated group by field, value, is_number
      ) counted where place <= ${maxValues} order by place`,
          [game, game, fields.filter(field => field !== rarity)]
        )
      )
      const counted = new Map<string, { found: number; values: CountedValue[] }>()
      for (const { field, value, is_number: isNumber, printings, found } of read) {
        const known = counted.get(field) ?? { found, values: [] }
        known.values.push({ value: isNumber ? Number(value) : value, printings })
        counted.set(field, known)
      }
      return counted
    })
