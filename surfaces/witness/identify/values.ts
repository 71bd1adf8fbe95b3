import { urlOf, type JsonValue } from 'pantry/data'
import { utcMoment } from '../utc-moment.ts'
import type { Notes } from './notes.ts'

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
