import type { JsonObject, JsonValue } from 'pantry/data'
import type { Notes } from './notes.ts'
import { readText } from './values.ts'

/** The limits for a JSON value of free form. */
const freeBounds = { levels: 6, members: 64, items: 64, name: 100, text: 1000 } as const

const levelsOf = (value: JsonValue): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value as JsonObject).map(levelsOf))

/**
 * Reads any JSON value within the limits and normalises its texts. Of too many members, those whose names come first by
 * UTF-16 code units are kept, so that their original order does not matter.
 */
function readFree(value: JsonValue, path: string, notes: Notes, level = 0): JsonValue {
  if (typeof value === 'string') return readText(value, path, freeBounds.text, notes) ?? ''
  if (typeof value !== 'object' || value === null) return value
  if (level === freeBounds.levels) {
    notes.truncate(path, 'levels', level + levelsOf(value), level)
    return null
  }
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    if (items.length > freeBounds.items) notes.truncate(path, 'items', items.length, freeBounds.items)
    return items.slice(0, freeBounds.items).map((item, index) => readFree(item, `${path}.${index}`, notes, level + 1))
  }
  return readFreeObject(value as JsonObject, path, notes, level)
}

/** Like `readFree`, for an object. */
export function readFreeObject(value: JsonObject, path: string, notes: Notes, level = 0): JsonObject {
  const members = Object.entries(value).filter(([name]) => {
    if (name.length <= freeBounds.name) return true
    notes.warn(path, 'name_too_long', `A name of ${name.length} characters was left out; ${freeBounds.name} are taken.`)
    return false
  })
  if (members.length > freeBounds.members) notes.truncate(path, 'members', members.length, freeBounds.members)
  const kept = members.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, freeBounds.members)
  return Object.fromEntries(kept.map(([name, member]) => [name, readFree(member, `${path}.${name}`, notes, level + 1)]))
}
