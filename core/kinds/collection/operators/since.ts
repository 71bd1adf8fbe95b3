import type { Operator } from './operator.ts'

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
