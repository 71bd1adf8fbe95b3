import { suggest, urlOf, type JsonObject, type JsonValue } from 'pantry/data'
import { utcMoment } from '../calendar.ts'

type Warning = Readonly<{
  path: string
  code:
    | 'wrong_type'
    | 'unsupported_value'
    | 'out_of_range'
    | 'invalid_format'
    | 'control_character'
    | 'duplicate'
    | 'name_too_long'
  message: string
}>
type Truncation = Readonly<{
  path: string
  unit: 'characters' | 'items' | 'members' | 'levels'
  given: number
  kept: number
}>
type Unrecognised = Readonly<{ field: string; did_you_mean: string | null }>

/** The most remarks of one kind; a body of 64 KiB could cause thousands. */
const most = 64
const longestPath = 200

/** Collects the changes made by normalisation, to report them to the sender. */
export class Notes {
  readonly warnings: Warning[] = []
  readonly truncations: Truncation[] = []
  readonly unrecognised: Unrecognised[] = []
  /** The number of remarks beyond the limit, which are not listed. */
  omitted = 0

  warn(path: string, code: Warning['code'], message: string): void {
    this.#add(this.warnings, { path: path.slice(0, longestPath), code, message })
  }

  truncate(path: string, unit: Truncation['unit'], given: number, kept: number): void {
    this.#add(this.truncations, { path: path.slice(0, longestPath), unit, given, kept })
  }

  /** Notes unknown members, each with the known one that was perhaps meant. */
  refuseUnknown(
    names: readonly string[],
    known: readonly string[],
    { where = '', aliases = {} }: Readonly<{ where?: string; aliases?: Readonly<Record<string, string>> }> = {}
  ): void {
    const unknown = names.filter(name => !known.includes(name))
    // Finding suggestions is slow, so it is done only for the names that are listed.
    const room = most - this.unrecognised.length
    this.omitted += Math.max(0, unknown.length - room)
    for (const name of unknown.slice(0, room)) {
      const close = Object.hasOwn(aliases, name) ? name : suggest(name, [...known, ...Object.keys(aliases)])
      const meant = close === undefined ? undefined : Object.hasOwn(aliases, close) ? aliases[close] : close
      this.unrecognised.push({
        field: `${where}${name}`.slice(0, longestPath),
        did_you_mean: meant === undefined ? null : `${where}${meant}`
      })
    }
  }

  #add<T>(list: T[], remark: T): void {
    if (list.length < most) list.push(remark)
    else this.omitted += 1
  }
}

/**
 * Readers of single values: an unusable value becomes null (or is left out of a list) and a note is added. Missing and
 * null are equivalent.
 */

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

export const absent = (value: JsonValue | undefined): value is undefined | null => value === undefined || value === null

const wrongType = (path: string, wanted: string, notes: Notes): null => {
  notes.warn(path, 'wrong_type', `\`${path.slice(0, 80)}\` must be ${wanted}; it was left out.`)
  return null
}

/**
 * Reads a text: trimmed, in Unicode form NFC, cut to `most` Unicode scalar values; control characters except tab and
 * line feed become spaces. Null when nothing is left.
 */
export function readText(value: JsonValue | undefined, path: string, most: number, notes: Notes): string | null {
  if (absent(value)) return null
  if (typeof value !== 'string') return wrongType(path, 'a text', notes)
  const lines = value.replace(/\r\n/g, '\n')
  const plain = lines.replace(controls, ' ')
  if (plain !== lines)
    notes.warn(path, 'control_character', `Control characters of \`${path.slice(0, 80)}\` became spaces.`)
  const text = plain.trim().normalize('NFC')
  const scalars = text.length > most ? Array.from(text) : []
  if (scalars.length <= most) return text === '' ? null : text
  notes.truncate(path, 'characters', scalars.length, most)
  return scalars.slice(0, most).join('').trimEnd()
}

/** Reads one of a few words, in any letter case. */
export function readWord<Word extends string>(
  value: JsonValue | undefined,
  path: string,
  allowed: readonly Word[],
  notes: Notes
): Word | null {
  const given = readText(value, path, 100, notes)?.toLowerCase() ?? null
  if (given === null) return null
  const word = allowed.find(one => one === given)
  if (word !== undefined) return word
  notes.warn(
    path,
    'unsupported_value',
    `\`${path}\` knows ${allowed.map(one => `\`${one}\``).join(', ')}; the value was left out.`
  )
  return null
}

export function readFlag(value: JsonValue | undefined, path: string, notes: Notes): boolean | null {
  if (absent(value)) return null
  return typeof value === 'boolean' ? value : wrongType(path, 'true or false', notes)
}

export function readInteger(
  value: JsonValue | undefined,
  path: string,
  { least, most }: Readonly<{ least: number; most: number }>,
  notes: Notes
): number | null {
  if (absent(value)) return null
  if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType(path, 'a whole number', notes)
  if (value >= least && value <= most) return value
  notes.warn(path, 'out_of_range', `\`${path}\` must be ${least} to ${most}; it was left out.`)
  return null
}

/** Reads a list of texts with `read`, without nulls and duplicates. */
export function readList<Text extends string>(
  value: JsonValue | undefined,
  path: string,
  most: number,
  notes: Notes,
  read: (item: JsonValue, path: string) => Text | null
): readonly Text[] {
  if (absent(value)) return []
  if (!Array.isArray(value)) {
    wrongType(path, 'a list', notes)
    return []
  }
  const items = value as readonly JsonValue[]
  if (items.length > most) notes.truncate(path, 'items', items.length, most)
  const texts = items
    .slice(0, most)
    .map((item, index) => read(item, `${path}.${index}`))
    .filter(text => text !== null)
  const kept = [...new Set(texts)]
  if (kept.length < texts.length) notes.warn(path, 'duplicate', `\`${path}\` says something twice; once is kept.`)
  return kept
}

/** Reads a web address and serialises it as in the URL Standard. It is never fetched. */
export function readAddress(value: JsonValue | undefined, path: string, most: number, notes: Notes): string | null {
  const text = readText(value, path, most, notes)
  if (text === null) return null
  const url = /^https?:\/\/\S+$/i.test(text) ? urlOf(text) : undefined
  if (url !== undefined && url.username === '' && url.password === '' && url.href.length <= most) return url.href
  notes.warn(
    path,
    'invalid_format',
    `\`${path}\` must be a complete http or https URL of at most ${most} characters, without credentials; it was left out.`
  )
  return null
}

export function readMoment(value: JsonValue | undefined, path: string, notes: Notes): string | null {
  const text = readText(value, path, 64, notes)
  const moment = text === null ? undefined : utcMoment(text)
  if (text !== null && moment === undefined)
    notes.warn(
      path,
      'invalid_format',
      `\`${path}\` must be a moment by RFC 3339 with an explicit zone; it was left out.`
    )
  return moment ?? null
}

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
