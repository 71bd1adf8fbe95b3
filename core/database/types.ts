import pg from 'pg'
import type { CustomTypesConfig } from 'pg'

type Parse = (text: string) => unknown

/** The driver's own parsers, by type oid (catalogue `pg_type`) and wire format. */
const driverParser = (...type: Parameters<typeof pg.types.getTypeParser>): Parse =>
  pg.types.getTypeParser(...type) as Parse

const { INT8: int8, DATE: date, TIMESTAMPTZ: timestamptz } = pg.types.builtins

const parsers = new Map<number, Parse>([
  [int8, text => (Number.isSafeInteger(Number(text)) ? Number(text) : text)],
  [date, text => text],
  [
    timestamptz,
    text => {
      const value = driverParser(timestamptz)(text)
      return value instanceof Date ? value.toISOString() : text
    }
  ]
])

/**
 * How column values become JavaScript values: `bigint` a number while it is exact and text beyond, `date` its text,
 * `timestamptz` ISO 8601 in UTC with milliseconds. The rest as the driver does it.
 */
export const textTypes: CustomTypesConfig = {
  getTypeParser: (oid, format): Parse =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? driverParser(oid, format)
}
