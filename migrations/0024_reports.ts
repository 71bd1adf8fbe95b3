import type { Knex } from 'knex'

/**
 * Reports of what others wrote, for an operator to decide. And a directory entry is listed by a receipt for the notice
 * that holds, which the reader names.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('content_reports', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.uuid('reporter').notNullable().references('people.id').onDelete('cascade')
    table.text('kind').notNullable().checkIn(['listing', 'review', 'organisation'])
    table.uuid('auction').references('auctions.id').onDelete('set null').index()
    table.uuid('review').references('auction_reviews.id').onDelete('set null').index()
    table.uuid('organisation').references('organisations.person').onDelete('set null').index()
    table.text('ground').notNullable().checkIn(['fraud', 'offensive', 'personal-data', 'rights', 'other'])
    table.string('text', 1000).notNullable()
    table.timestamp('reported_at').notNullable().defaultTo(knex.fn.now())
    table.text('decision').checkIn(['removed', 'kept'])
    table.string('reason', 1000)
    table.timestamp('decided_at')
    table.index(['reporter', 'reported_at'])
  })
  await knex.raw(
    'alter table content_reports add check ((decision is null) = (decided_at is null) and (decision is null) = (reason is null)), add check (num_nonnulls(auction, review, organisation) <= 1)'
  )
  for (const column of ['auction', 'review', 'organisation'])
    await knex.raw('create unique index on content_reports (reporter, ??) where decided_at is null', [column])
  await knex.raw('drop view listed_organisations')
  await knex.raw(`
    create view listed_organisations as select o.*, r.given_at as listed_at, r.notice_version from organisations o join people p on p.id = o.person and p.suspended_at is null
      join publication_receipts r on r.person = o.person and r.scope = 'organisation' and r.withdrawn_at is null where o.approved_at is not null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('content_reports')
  await knex.raw('drop view listed_organisations')
  await knex.raw(`
    create view listed_organisations as select o.*, r.given_at as listed_at from organisations o join people p on p.id = o.person and p.suspended_at is null
      join publication_receipts r on r.person = o.person and r.scope = 'organisation' and r.withdrawn_at is null where o.approved_at is not null`)
}
