/** The import path that the knex manual gives for custom dialects; knex has no types for it. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex'

  const dialect: typeof Knex.Client
  export default dialect
}
