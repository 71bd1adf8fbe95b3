import { askedTypes, shortText } from './field-types.ts'
import type { Operator } from './operator.ts'

export const equalsAnyCase: Operator = {
  name: 'equals-any-case',
  meaning: 'same text in capitals or not',
  needs: 'a text that is not one of a list of words',
  fits: value => askedTypes(value).join() === 'string' && value['enum'] === undefined,
  parameter: field => ({ ...shortText, description: `Entries whose \`${field}\` is this value, in capitals or not.` }),
  meets: (value, wanted) => typeof value === 'string' && value.toLowerCase() === String(wanted).toLowerCase()
}
