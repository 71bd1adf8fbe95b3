import type { Knex } from 'knex'

/**
 * Which whole numbers of each set were seen, so that the hunt can ask for those between them. Cases that were opened
 * before keep the words they had.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('set_numbers', table => {
    table.integer('set_id').primary().references('id').inTable('sets').onDelete('CASCADE')
    table.integer('lowest').notNullable()
    table.integer('highest').notNullable()
    table.integer('unseen').notNullable().comment('How many between the two were not seen')
    table.jsonb('gaps').notNullable().comment('[first, last] of each run of them, in order')
  })
  await knex.raw(`
    insert into set_numbers (set_id, lowest, highest, unseen, gaps)
    select set_id, min(number), max(number), coalesce(sum(number - before - 1), 0), coalesce(jsonb_agg(jsonb_build_array(before + 1, number - 1) order by number) filter (where number - before > 1), '[]')
    from (select set_id, number, lag(number) over (partition by set_id order by number) as before
      from (select distinct set_id, split_part(number_key, ':', 2)::int as number from cards where number_key ~ ':[0-9]{1,4}$') n) l group by set_id`)
  await knex.raw(
    "update hunt_cases set candidate = candidate || jsonb_build_object('question', candidate -> 'candidate' -> 'why_candidate', 'where_to_look', '[]'::jsonb) where candidate -> 'question' is null"
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('set_numbers')
}
