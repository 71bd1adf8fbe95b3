import type { Knex } from 'knex'

/**
 * The folded form of parts of a SKU, as `foldNumber` in surfaces/cards/search/number-index.ts makes it of a printed
 * number: whatever is neither a letter nor a digit is one hyphen, leading zeros are dropped, and a hyphen stays only
 * between two letters or two digits.
 */
const folded = (parts: string): string =>
  [
    ['(~[0-9a-f]{2}|[^a-z0-9])+', '-'],
    ['(^|[^0-9])0+([0-9])', '\\1\\2'],
    ['([a-z])-([0-9])', '\\1\\2'],
    ['([0-9])-([a-z])', '\\1\\2']
  ].reduce(
    (text, [pattern = '', replacement = '']) => `regexp_replace(${text}, '${pattern}', '${replacement}', 'g')`,
    parts
  )

/**
 * What cards are searched by, all three within their game, computed from what is stored. Imports compute the same:
 * `searchColumns` in surfaces/cards/search/number-index.ts.
 */
export const keys = {
  place_key: `game || ':' || btrim(${folded("split_part(sku, '-', 2) || '-' || split_part(sku, '-', 3)")}, '-')`,
  number_key: `game || ':' || btrim(${folded("split_part(sku, '-', 3)")}, '-')`,
  printed_key: `game || ':' || lower(card_number collate "C")`
}

export async function up(knex: Knex): Promise<void> {
  const names = Object.keys(keys)
  await knex.raw(`alter table cards ${names.map(name => `add column ${name} text collate "C"`).join(', ')}`)
  // In a raw statement every question mark is a placeholder; these patterns have none.
  await knex.raw(
    `update cards set ${Object.entries(keys)
      .map(([name, expression]) => `${name} = ${expression}`)
      .join(', ')}`
  )
  await knex.raw(`alter table cards ${names.map(name => `alter column ${name} set not null`).join(', ')}`)
  // With the SKU behind the key a bounded list comes out of the index in order, however many cards share the key.
  for (const name of names) await knex.raw(`create index cards_${name}_index on cards (${name}, (sku collate "C"))`)
  await knex.raw('create index sets_declared_total_index on sets (game, declared_total)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists sets_declared_total_index')
  await knex.raw(
    `alter table cards ${Object.keys(keys)
      .map(name => `drop column if exists ${name}`)
      .join(', ')}`
  )
}
