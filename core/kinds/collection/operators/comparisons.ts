import type { JsonSchema } from '../../../canonical/json.ts'
import { assertNoIssues } from '../../../plan/read.ts'
import { compileSchema } from '../../../schema/compile.ts'
import { coerceText, enumTextsOf } from '../../../schema/json-schema.ts'
import { askedTypes, boundsOf, isDated, isNumeric, shortText, type Operator } from './operator.ts'

const scalars = ['string', 'integer', 'number', 'boolean']

const isScalar = (value: JsonSchema): boolean => scalars.includes(askedTypes(value).join())

/** Returns the schema of a parameter for one value of a field: its words, its type with its bounds, or its form. */
function oneValue(value: JsonSchema): JsonSchema {
  const words = enumTextsOf(value)
  if (words !== undefined) return { type: 'string', enum: words }
  const [type = 'string'] = askedTypes(value)
  if (type !== 'string') return { type, ...boundsOf(value) }
  const { format, pattern } = value
  return { ...shortText, ...(format === undefined ? {} : { format }), ...(pattern === undefined ? {} : { pattern }) }
}

/** A parameter for the key of an entry says of which corpus it is, as the field does. */
const referenceOf = ({ 'x-corpus': corpus }: JsonSchema): JsonSchema =>
  corpus === undefined ? {} : { 'x-corpus': corpus }

export const equals: Operator = {
  name: 'equals',
  meaning: 'same value',
  needs: 'a text, number or boolean, or a list of one of them',
  fits: isScalar,
  parameter: (field, value) => ({
    ...oneValue(value),
    ...referenceOf(value),
    description: `Entries whose \`${field}\` is this value.`
  }),
  meets: (value, wanted) => value === wanted,
  sql: () => ':field: = :wanted',
  index: 'values',
  isOfItems: true,
  words: enumTextsOf
}

export const anyOf: Operator = {
  name: 'in',
  meaning: 'one of several values, with commas between them',
  needs: 'a text or number, or a list of one of them',
  fits: value => isScalar(value) && !askedTypes(value).includes('boolean'),
  parameter: (field, value) => {
    const words = enumTextsOf(value)
    const description = `Entries whose \`${field}\` is one of these values, with commas between them`
    return {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: words === undefined ? `${description}.` : `${description}: ${words.join(', ')}.`
    }
  },
  read: (name, value) => {
    const check = compileSchema({ type: 'object', properties: { [name]: oneValue(value) } })
    return asked =>
      String(asked)
        .split(',')
        .map(text => {
          const item = coerceText(value, text)
          assertNoIssues(check({ [name]: item }), 'query')
          return item
        })
  },
  meets: (value, wanted) => [wanted].flat().some(one => one === value),
  sql: () => ':field: = any(:wanted)',
  index: 'values',
  isOfItems: true,
  words: enumTextsOf
}

export const equalsAnyCase: Operator = {
  name: 'equals-any-case',
  meaning: 'same text in capitals or not',
  needs: 'a text that is not one of a list of words',
  fits: value => askedTypes(value).join() === 'string' && value['enum'] === undefined,
  parameter: field => ({ ...shortText, description: `Entries whose \`${field}\` is this value, in capitals or not.` }),
  meets: (value, wanted) => typeof value === 'string' && value.toLowerCase() === String(wanted).toLowerCase(),
  sql: () => 'lower(:field:) = lower(:wanted)',
  index: 'lower-case',
  words: enumTextsOf
}

export const contains: Operator = {
  name: 'contains',
  meaning: 'this text is a part of the value, in capitals or not',
  needs: 'a text that is not one of a list of words',
  fits: equalsAnyCase.fits,
  parameter: field => ({
    ...shortText,
    description: `Entries whose \`${field}\` contains this text, in capitals or not.`
  }),
  meets: (value, wanted) => typeof value === 'string' && value.toLowerCase().includes(String(wanted).toLowerCase()),
  // The characters that a pattern gives a meaning to are escaped.
  sql: () => String.raw`:field: ilike '%' || regexp_replace(:wanted, '([%_\\])', '\\\1', 'g') || '%'`,
  index: 'parts'
}

type Bound = Readonly<{ name: string; than: 'at least' | 'at most'; date: string }>

/** Makes an operator that compares numbers, or the days of dates and times. */
const bound = ({ name, than, date }: Bound): Operator => ({
  name,
  meaning: `${than} this number, or this date or ${date}`,
  needs: 'a number, or a field with `format: date` or `date-time`',
  fits: value => isNumeric(value) || isDated(value),
  parameter: (field, value) =>
    isDated(value)
      ? { type: 'string', format: 'date', description: `Entries whose \`${field}\` is this date or ${date}.` }
      : {
          type: askedTypes(value)[0] ?? 'number',
          ...boundsOf(value),
          description: `Entries whose \`${field}\` is ${than} this number.`
        },
  meets: (value, wanted) => {
    const compared = typeof value === 'string' ? value.slice(0, 10) : value
    if (typeof compared !== typeof wanted || compared === undefined || compared === null) return false
    return than === 'at least' ? compared >= wanted : compared <= wanted
  },
  sql: value => {
    const sign = than === 'at least' ? '>=' : '<='
    if (value['format'] !== 'date-time') return `:field: ${sign} :wanted`
    const after = than === 'at least' ? '' : " + interval '1 day'"
    return `:field: ${than === 'at least' ? '>=' : '<'} (cast(:wanted as timestamp)${after}) at time zone 'UTC'`
  },
  index: 'values'
})

export const minimum = bound({ name: 'minimum', than: 'at least', date: 'later' })
export const maximum = bound({ name: 'maximum', than: 'at most', date: 'earlier' })

export const since: Operator = {
  ...minimum,
  name: 'since',
  meaning: 'this date or later',
  needs: 'a field with `format: date` or `date-time`',
  fits: isDated,
  dated: true
}
