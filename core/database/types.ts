import pg from 'pg'
import type { CustomTypesConfig } from 'pg'

type Parse = (text: string) => unknown

/** Returns the driver's own parser, by type OID (catalogue `pg_type`) and wire format. */
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
 * How column values become JavaScript values: `bigint` a number if that is exact, else a string; `date` its text;
 * `timestamptz` ISO 8601 in UTC with milliseconds. Other types as the driver parses them.
 */
export const textTypes: CustomTypesConfig = {
  getTypeParser: (oid, format): Parse =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? driverParser(oid, format)
}
