import type { Knex } from 'knex'

/** Indexes for the changes of a game in the order of their times. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index cards_first_seen_index on cards (game, first_seen_at)')
  await knex.raw("create index card_changes_game_index on card_changes (split_part(sku, '-', 1), changed_at)")
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index cards_first_seen_index, card_changes_game_index')
}
