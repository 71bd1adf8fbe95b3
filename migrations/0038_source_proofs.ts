import type { Knex } from 'knex'

/** What a second reader found last of each source, when it compared what is held with the files. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('source_proofs', table => {
    table.text('source').primary()
    table.bigInteger('run').notNullable().references('runs.id').index().comment('The run after which it was proved')
    table.text('snapshot').notNullable().comment('That of the run')
    table.timestamp('proved_at').notNullable()
    table.text('verdict').notNullable().checkIn(['proved', 'different', 'not proved'])
    table.text('reason').comment('Why nothing is proved, or null')
    table.jsonb('counts').comment('Rows that were read, and how many are equal, different, missing, more, left out')
    table.jsonb('files').notNullable().comment('SHA-256 of each file by its path, lowercase hex')
    table.text('digest').comment('SHA-256 of the lines that sha256sum prints of the files, by path; null without files')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('source_proofs')
}
