import { wordsOf } from '../../../schema/json-schema.ts'
import { askedTypes, boundsOf, shortText } from './field-types.ts'
import type { Operator } from './operator.ts'

const scalars = ['string', 'integer', 'number', 'boolean']

export const equals: Operator = {
  name: 'equals',
  meaning: 'same value',
  needs: 'a text, number or boolean, or a list of one of them',
  fits: value => {
    const types = askedTypes(value)
    return types.length === 1 && scalars.includes(types[0] ?? '')
  },
  parameter: (field, value) => {
    const description = `Entries whose \`${field}\` is this value.`
    const words = wordsOf(value)
    const [type = 'string'] = askedTypes(value)
    if (words !== undefined) return { type: 'string', enum: words, description }
    return type === 'string' ? { ...shortText, description } : { type, ...boundsOf(value), description }
  },
  meets: (value, wanted) => value === wanted,
  words: wordsOf
}
