import { isObject, suggest, Text, Type, urlOf, type JsonObject, type JsonValue, type TSchema } from 'pantry/data'
import { utcMoment } from '../common/calendar.ts'

/**
 * Returns the schema of an optional member. It allows any type, because the code judges the value; `usual` documents
 * the expected type.
 */
export const memberSchema = (description: string, usual: TSchema = Text) =>
  Type.Optional(
    Type.Union([usual, Type.Unknown({ description: 'Any other value is read as well, and judged in words.' })], {
      description
    })
  )

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
const maxRemarks = 64
const maxPathLength = 200

/** The changes made by normalisation, to report them to the sender. */
export class Notes {
  readonly warnings: Warning[] = []
  readonly truncations: Truncation[] = []
  readonly unrecognised: Unrecognised[] = []
  /** The number of remarks beyond the limit, which are not listed. */
  omitted = 0

  warn(path: string, code: Warning['code'], message: string): void {
    this.#add(this.warnings, { path: path.slice(0, maxPathLength), code, message })
  }

  truncate(path: string, unit: Truncation['unit'], given: number, kept: number): void {
    if (given > kept) this.#add(this.truncations, { path: path.slice(0, maxPathLength), unit, given, kept })
  }

  #add<T>(list: T[], remark: T): void {
    if (list.length < maxRemarks) list.push(remark)
    else this.omitted += 1
  }
}

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const isAbsent = (value: JsonValue | undefined): value is undefined | null => value === undefined || value === null

/**
 * Reads a text: trimmed, in Unicode form NFC, cut to `most` Unicode scalar values; control characters except tab and
 * line feed become spaces. Null when nothing is left.
 */
export function readText(value: JsonValue | undefined, path: string, most: number, notes: Notes): string | null {
  if (isAbsent(value)) return null
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

function wrongType(path: string, expected: string, notes: Notes): null {
  notes.warn(path, 'wrong_type', `\`${path.slice(0, 80)}\` must be ${expected}; it was left out.`)
  return null
}

/**
 * Reads the members of an object or a list. An unusable value becomes null (or is left out of a list) and a note is
 * added. Missing and null are equivalent.
 */
export class MemberReader {
  readonly #members: Readonly<Record<string | number, JsonValue | undefined>>
  readonly #notes: Notes
  readonly #prefix: string

  /** `prefix` comes before the names in paths. */
  constructor(members: JsonObject | readonly JsonValue[], notes: Notes, prefix = '') {
    this.#members = members as JsonObject
    this.#notes = notes
    this.#prefix = prefix
  }

  #leftOut(path: string, code: Warning['code'], rule: string): null {
    this.#notes.warn(path, code, `\`${path}\` ${rule}; it was left out.`)
    return null
  }

  text(name: string | number, most: number): string | null {
    return readText(this.#members[name], `${this.#prefix}${name}`, most, this.#notes)
  }

  /** Reads one of the allowed words, in any letter case. */
  word<Word extends string>(name: string | number, allowed: readonly Word[]): Word | null {
    const text = this.text(name, 100)?.toLowerCase()
    const word = allowed.find(known => known === text)
    if (text !== undefined && word === undefined) {
      const path = `${this.#prefix}${name}`
      const words = allowed.map(known => `\`${known}\``).join(', ')
      this.#notes.warn(path, 'unsupported_value', `\`${path}\` knows ${words}; the value was left out.`)
    }
    return word ?? null
  }

  flag(name: string): boolean | null {
    const value = this.#members[name]
    if (isAbsent(value)) return null
    return typeof value === 'boolean' ? value : wrongType(`${this.#prefix}${name}`, 'true or false', this.#notes)
  }

  integer(name: string, least: number, most: number): number | null {
    const value = this.#members[name]
    const path = `${this.#prefix}${name}`
    if (isAbsent(value)) return null
    if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType(path, 'a whole number', this.#notes)
    return value >= least && value <= most ? value : this.#leftOut(path, 'out_of_range', `must be ${least} to ${most}`)
  }

  /** Reads the first `most` items of a list, without nulls and duplicates. */
  list<Text extends string>(
    name: string,
    most: number,
    read: (items: MemberReader, index: number) => Text | null
  ): readonly Text[] {
    const value = this.#members[name]
    const path = `${this.#prefix}${name}`
    if (isAbsent(value)) return []
    if (!Array.isArray(value)) {
      wrongType(path, 'a list', this.#notes)
      return []
    }
    this.#notes.truncate(path, 'items', value.length, most)
    const items = new MemberReader(value as JsonValue[], this.#notes, `${path}.`)
    const texts = Array.from({ length: Math.min(value.length, most) }, (_, index) => read(items, index)).filter(
      text => text !== null
    )
    const kept = [...new Set(texts)]
    if (kept.length < texts.length)
      this.#notes.warn(path, 'duplicate', `\`${path}\` says something twice; once is kept.`)
    return kept
  }

  /** Serialises a web address as in the URL Standard. It is never fetched. */
  url(name: string, most: number): string | null {
    const text = this.text(name, most)
    if (text === null) return null
    const url = /^https?:\/\/\S+$/i.test(text) ? urlOf(text) : undefined
    if (url !== undefined && url.username === '' && url.password === '' && url.href.length <= most) return url.href
    return this.#leftOut(
      `${this.#prefix}${name}`,
      'invalid_format',
      `must be a complete http or https URL of at most ${most} characters, without credentials`
    )
  }

  moment(name: string): string | null {
    const text = this.text(name, 64)
    if (text === null) return null
    return (
      utcMoment(text) ??
      this.#leftOut(`${this.#prefix}${name}`, 'invalid_format', 'must be a moment by RFC 3339 with an explicit zone')
    )
  }

  /** Reads an object; it is empty when the member is missing or no object. */
  object(name: string): JsonObject {
    const value = this.#members[name]
    if (isObject(value)) return value
    if (!isAbsent(value)) wrongType(`${this.#prefix}${name}`, 'an object', this.#notes)
    return {}
  }

  nested(name: string): MemberReader {
    return new MemberReader(this.object(name), this.#notes, `${this.#prefix}${name}.`)
  }

  /** Notes members that are not known, each with the known one that was perhaps meant. */
  refuseUnknown(known: readonly string[], aliases: Readonly<Record<string, string>> = {}): void {
    const notes = this.#notes
    const unknown = Object.keys(this.#members).filter(name => !known.includes(name))
    // Finding suggestions is slow, so it is done only for the names that are listed.
    const room = maxRemarks - notes.unrecognised.length
    notes.omitted += Math.max(0, unknown.length - room)
    for (const name of unknown.slice(0, room)) {
      const close = Object.hasOwn(aliases, name) ? name : suggest(name, [...known, ...Object.keys(aliases)])
      const meant = close === undefined ? undefined : Object.hasOwn(aliases, close) ? aliases[close] : close
      notes.unrecognised.push({
        field: `${this.#prefix}${name}`.slice(0, maxPathLength),
        did_you_mean: meant === undefined ? null : `${this.#prefix}${meant}`
      })
    }
  }
}

const freeBounds = { levels: 6, members: 64, items: 64, name: 100, text: 1000 } as const

const levelsOf = (value: JsonValue): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value as JsonObject).map(levelsOf))

/**
 * Reads a value of any form within `freeBounds`. Of too many members, those whose names come first by UTF-16 code units
 * are kept, so that their original order does not matter.
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
    notes.truncate(path, 'items', items.length, freeBounds.items)
    return items.slice(0, freeBounds.items).map((item, index) => readFree(item, `${path}.${index}`, notes, level + 1))
  }
  return readFreeObject(value as JsonObject, path, notes, level)
}

export function readFreeObject(value: JsonObject, path: string, notes: Notes, level = 0): JsonObject {
  const members = Object.entries(value).filter(([name]) => {
    if (name.length <= freeBounds.name) return true
    notes.warn(path, 'name_too_long', `A name of ${name.length} characters was left out; ${freeBounds.name} are taken.`)
    return false
  })
  notes.truncate(path, 'members', members.length, freeBounds.members)
  const kept = members.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, freeBounds.members)
  return Object.fromEntries(kept.map(([name, member]) => [name, readFree(member, `${path}.${name}`, notes, level + 1)]))
}
