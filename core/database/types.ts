import pg from 'pg'
import type { CustomTypesConfig } from 'pg'

type Parse = (text: string) => unknown

/** The driver's own parsers, by type oid (catalogue `pg_type`) and wire format. */
const driverParser = pg.types.getTypeParser as unknown as (oid: number, format?: string) => Parse

const int8 = 20
const date = 1082
const timestamptz = 1184

const parsers = new Map<number, Parse>([
  [int8, text => Number.isSafeInteger(Number(text)) ? Number(text) : text],
  [date, text => text],
  [timestamptz, text => {
    const value = driverParser(timestamptz)(text)
    return value instanceof Date ? value.toISOString() : text
  }]
])

/**
 * How column values become JavaScript values: `bigint` a number while it is exact and text beyond, `date` its text, `timestamptz` ISO 8601
 * in UTC with milliseconds. The rest as the driver does it.
 */
export const textTypes = {
  getTypeParser: (oid: number, format?: string): Parse => (format === 'binary' ? undefined : parsers.get(oid)) ?? driverParser(oid, format)
} as CustomTypesConfig
