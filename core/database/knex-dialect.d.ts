/** The path that the knex manual names for dialects of one's own; knex has no types for it. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex'

  const dialect: typeof Knex.Client
  export default dialect
}
