import { askedTypes, boundsOf } from './field-types.ts'
import type { Operator } from './operator.ts'

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
