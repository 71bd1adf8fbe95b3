import type { Knex } from 'knex'

export const replaces = ['0021_draws']

/**
 * Draws, and the signed chain that proves them. `proof_nodes` holds the hashes of complete subtrees, which never
 * change.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('draw_rates', table => {
    table.string('digest', 64).primary()
    table.json('rates').notNullable()
  })
  await knex.schema.createTable('proof_keys', table => {
    table.string('key_id', 43).primary()
    table.string('x', 43).notNullable()
    table.timestamp('first_used_at', { precision: 3 }).notNullable().defaultTo(knex.fn.now(3))
  })
  await knex.schema.createTable('proof_epochs', table => {
    table.integer('epoch').primary()
    table.string('reason', 500).notNullable()
    table.timestamp('declared_at', { precision: 3 }).notNullable().defaultTo(knex.fn.now(3))
    table.string('after', 64)
    table.string('lost', 64)
  })
  await knex('proof_epochs').insert({ epoch: 1, reason: 'The first one.' })
  await knex.raw("comment on table proof_epochs is 'Rows of its migration: 1'")
  await knex.schema.createTable('proof_batches', table => {
    table.integer('batch').primary()
    table.integer('epoch').notNullable().references('proof_epochs.epoch')
    table.bigInteger('tree_size').notNullable()
    table.string('root', 64).notNullable()
    table.string('previous', 64).notNullable()
    table.timestamp('signed_at', { precision: 3 }).notNullable().index()
    table.string('key_id', 43).notNullable().references('proof_keys.key_id')
    table.string('signature', 86).notNullable()
    table.string('chain_hash', 64).notNullable().unique()
    table.integer('leaf_count').notNullable()
    table.timestamp('window_from', { precision: 3 }).notNullable()
    table.timestamp('window_to', { precision: 3 }).notNullable()
    table.unique(['epoch', 'tree_size'])
  })
  await knex.schema.createTable('draws', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.bigIncrements('nonce', { primaryKey: false }).unique()
    table.string('rates_digest', 64).notNullable().references('draw_rates.digest')
    table.string('commitment', 64).notNullable()
    table.string('server_seed', 64).notNullable()
    table.timestamp('begun_at', { precision: 3 }).notNullable().defaultTo(knex.fn.now(3)).index()
    table.string('client_seed', 64)
    table.jsonb('result')
    table.timestamp('opened_at', { precision: 3 }).index()
    table.integer('batch').references('proof_batches.batch').index()
    table.bigInteger('leaf_index')
  })
  await knex.raw(
    'alter table draws add check ((client_seed is null) = (result is null) and (result is null) = (opened_at is null)), add check ((batch is null) = (leaf_index is null))'
  )
  await knex.raw('create index draws_unbatched on draws (opened_at, id) where opened_at is not null and batch is null')
  await knex.schema.createTable('proof_nodes', table => {
    table.integer('epoch').notNullable().references('proof_epochs.epoch')
    table.integer('level').notNullable()
    table.bigInteger('index').notNullable()
    table.string('hash', 64).notNullable()
    table.primary(['epoch', 'level', 'index'])
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['proof_nodes', 'draws', 'proof_batches', 'proof_epochs', 'proof_keys', 'draw_rates'])
    await knex.schema.dropTable(table)
}
