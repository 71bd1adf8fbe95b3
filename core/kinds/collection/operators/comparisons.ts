import { enumTextsOf } from '../../../schema/json-schema.ts'
import { askedTypes, boundsOf, shortText, type Operator } from './operator.ts'

const scalars = ['string', 'integer', 'number', 'boolean']

export const equals: Operator = {
  name: 'equals',
  meaning: 'same value',
  needs: 'a text, number or boolean, or a list of one of them',
  fits: value => scalars.includes(askedTypes(value).join()),
  parameter: (field, value) => {
    const description = `Entries whose \`${field}\` is this value.`
    const words = enumTextsOf(value)
    if (words !== undefined) return { type: 'string', enum: words, description }
    const [type = 'string'] = askedTypes(value)
    return type === 'string' ? { ...shortText, description } : { type, ...boundsOf(value), description }
  },
  meets: (value, wanted) => value === wanted,
  words: enumTextsOf
}

export const equalsAnyCase: Operator = {
  name: 'equals-any-case',
  meaning: 'same text in capitals or not',
  needs: 'a text that is not one of a list of words',
  fits: value => askedTypes(value).join() === 'string' && value['enum'] === undefined,
  parameter: field => ({ ...shortText, description: `Entries whose \`${field}\` is this value, in capitals or not.` }),
  meets: (value, wanted) => typeof value === 'string' && value.toLowerCase() === String(wanted).toLowerCase()
}

export const maximum: Operator = {
  name: 'maximum',
  meaning: 'at most this number',
  needs: 'a number',
  fits: value => {
    const types = askedTypes(value)
    return types.length > 0 && types.every(type => type === 'integer' || type === 'number')
  },
  parameter: (field, value) => ({
    type: askedTypes(value)[0] ?? 'number',
    ...boundsOf(value),
    description: `Entries whose \`${field}\` is at most this number.`
  }),
  meets: (value, wanted) => typeof value === 'number' && value <= Number(wanted)
}

export const since: Operator = {
  name: 'since',
  meaning: 'this date or later',
  needs: 'a field with `format: date` or `date-time`',
  fits: value => value['format'] === 'date' || value['format'] === 'date-time',
  parameter: field => ({
    type: 'string',
    format: 'date',
    description: `Entries whose \`${field}\` is this date or later.`
  }),
  // Dates and date-times are compared as text: `2026-11-20` is before `2026-11-20T08:00:00Z`.
  meets: (value, wanted) => typeof value === 'string' && value >= String(wanted),
  dated: true
}
