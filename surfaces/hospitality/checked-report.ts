import { invalid, isObject, type JsonObject, type JsonValue } from 'pantry/data'

const member = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isObject(value ?? null) ? (value as JsonObject)[name] : undefined

/** What the check of reports says: the report as it is hashed, or why it is refused. */
export function checkedReport(status: number, body: JsonValue): JsonObject {
  const echo = member(member(body, 'data'), 'echo')
  if (status === 200 && isObject(echo ?? null)) return echo as JsonObject
  const [message, field] = [
    member(member(body, 'error'), 'message'),
    member(member(member(body, 'error'), 'details'), 'field')
  ]
  throw invalid(
    `report.${typeof field === 'string' ? field : ''}`.replace(/\.$/, ''),
    typeof message === 'string' ? message : 'The report is not well formed.'
  )
}
