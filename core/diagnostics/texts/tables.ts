import { error, warning } from './entry.ts'

/** Codes of tables that are corpora. `pantry migrate`, `doctor` and `serve` compare them with the database. */
export const tableCodes = {
  D101: error(
    'The table of a corpus is not in the database',
    '`table` in `corpus.yaml` names a table or view, with its schema unless that is in the search path. The role of `DATABASE_URL` must be allowed to read it.',
    'table: place',
    'table: places'
  ),
  D102: error(
    'A declared column is not in the table',
    'Each property of `schema.yaml` is a column of the table, and `search` names a column of type `tsvector`. Only what is named there is served.',
    'properties: { popuation: { type: integer } }',
    'properties: { population: { type: integer } }'
  ),
  D103: error(
    'A column has another type than is declared',
    'Every column can be declared as text. `integer`, `number`, `boolean`, `array`, `format: date` and `format: date-time` need columns of such types.',
    'properties: { name: { type: integer } }  # the column is text',
    'properties: { name: { type: string } }'
  ),
  D104: warning(
    'A column may be null, and the schema says that it is not',
    'Clients rely on the schema. Declare null, or forbid it in the table.',
    'population: { type: integer }',
    "population: { type: [integer, 'null'] }"
  ),
  D105: warning(
    'Nothing keeps the key of a table unique',
    'A row is served by its key, and pages continue after a key. Two rows with one key would hide each other.',
    'create table places (id bigint)',
    'create table places (id bigint primary key)'
  ),
  D106: warning(
    'A filter, an order or a search has no index',
    'Without an index every request reads the whole table, until the time of a statement is over. `contains` needs the extension `pg_trgm`.',
    'filters: [country]',
    'create index on places (country)'
  ),
  D107: warning(
    'A reference leads to another table than the foreign key',
    'A column with `x-corpus` becomes a link to the rows of that corpus, so its foreign key leads to the table of the corpus.',
    'stop_id: { type: string, x-corpus: lines }  # references stops',
    'stop_id: { type: string, x-corpus: stops }'
  )
}
