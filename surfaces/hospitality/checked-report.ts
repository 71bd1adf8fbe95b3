import { invalid, isObject, type JsonObject, type JsonValue } from 'pantry/data'

const member = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isObject(value ?? null) ? (value as JsonObject)[name] : undefined

/** Returns the normalised report from the response of the report check, or throws its error. */
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
