import { isObject, urlOf, type JsonObject, type JsonValue } from 'pantry/data'
import { utcMoment } from '../common/calendar.ts'
import { NormalStatement, statementContract } from './statement.ts'

/** A mistake in a member; `path` joins names and positions by dots. */
type StatementIssue = Readonly<{
  path: string
  code:
    | 'required'
    | 'wrong_type'
    | 'unknown_field'
    | 'unsupported_value'
    | 'too_long'
    | 'too_many'
    | 'control_character'
    | 'invalid_format'
  message: string
}>

// Control characters C0, DEL and C1 (ISO/IEC 6429); the second pattern allows line feeds.
const controls = /[\u0000-\u001f\u007f-\u009f]/
const controlsInLines = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/

const { schema, canonicalization, kinds, roles, limits } = statementContract

const languageForm = /^(?:und|[a-z]{2,8}(?:-[a-z0-9]{1,8})*)$/
const momentForm =
  'a moment by RFC 3339 with an explicit zone, in the years 0001 to 9999 of UTC, such as `2026-11-20T12:00:00Z`'
const referenceForm = 'the SHA-256 of a statement: 64 hex digits, with or without `sha256:` before them'
const hashForm = /^(?:sha256:)?([0-9a-f]{64})$/

/** Reads the members of an object or a list. Adds each mistake to `issues`; returns null for the invalid value. */
class StatementReader {
  readonly #members: Readonly<Record<string | number, JsonValue | undefined>>
  readonly #issues: StatementIssue[]
  readonly #prefix: string

  constructor(members: JsonObject | readonly JsonValue[], issues: StatementIssue[], prefix = '') {
    this.#members = members as JsonObject
    this.#issues = issues
    this.#prefix = prefix
  }

  /** `mistake` continues a sentence that begins with the path. */
  #add(name: string | number, code: StatementIssue['code'], mistake: string): null {
    const path = `${this.#prefix}${name}`
    this.#issues.push({ path, code, message: `\`${path}\` ${mistake}` })
    return null
  }

  #isAbsent(name: string): boolean {
    return this.#members[name] === undefined || this.#members[name] === null
  }

  /**
   * Reads a required text: trimmed, in Unicode form NFC, not empty, without control characters, and with at most `most`
   * Unicode scalar values. With `lines`, line feeds are allowed, and CR LF and CR are converted to them.
   */
  text(name: string | number, most: number, lines = false): string | null {
    const value = this.#members[name]
    if (value === undefined) return this.#add(name, 'required', 'is missing.')
    if (typeof value !== 'string') return this.#add(name, 'wrong_type', 'must be a text.')
    if (!value.isWellFormed()) return this.#add(name, 'invalid_format', 'holds an unpaired surrogate.')
    const text = (lines ? value.replace(/\r\n?/g, '\n') : value).trim().normalize('NFC')
    if (text === '') return this.#add(name, 'required', 'is blank.')
    if ((lines ? controlsInLines : controls).test(text))
      return this.#add(name, 'control_character', `holds a control character${lines ? ' other than a line feed' : ''}.`)
    const { length } = Array.from(text)
    return length > most ? this.#add(name, 'too_long', `has ${length} characters; at most ${most} are taken.`) : text
  }

  /** Reads a required word of the allowed ones, in any letter case. */
  word<Word extends string>(name: string, allowed: readonly Word[]): Word | null {
    const text = this.text(name, 100)?.toLowerCase()
    if (text === undefined) return null
    return (
      allowed.find(word => word === text) ??
      this.#add(name, 'unsupported_value', `must be one of ${allowed.map(word => `\`${word}\``).join(', ')}.`)
    )
  }

  constant<Constant extends string>(name: string, constant: Constant): Constant | null {
    const text = this.text(name, 100)
    if (text === null) return null
    return text === constant ? constant : this.#add(name, 'unsupported_value', `must be \`${constant}\`.`)
  }

  /** Serialises an https URL without credentials as in the URL Standard. It is never fetched. */
  url(name: string | number): string | null {
    const text = this.text(name, limits.url)
    if (text === null) return null
    if (/\s/.test(text)) return this.#add(name, 'invalid_format', 'holds white space.')
    const url = /^https:\/\//i.test(text) ? urlOf(text) : undefined
    if (url === undefined) return this.#add(name, 'invalid_format', 'must be a complete https URL.')
    if (url.username !== '' || url.password !== '')
      return this.#add(name, 'invalid_format', 'must not carry credentials.')
    const serialised = url.href.normalize('NFC')
    // The length is checked again, because percent-encoding makes a text longer.
    return serialised.length <= limits.url
      ? serialised
      : this.#add(name, 'too_long', `is longer than ${limits.url} characters as it is serialised.`)
  }

  /** Reads a list of https URLs, without duplicates and sorted by UTF-16 code units. A missing list is empty. */
  urls(name: string): readonly string[] | null {
    if (this.#isAbsent(name)) return []
    const value = this.#members[name]
    if (!Array.isArray(value)) return this.#add(name, 'wrong_type', 'must be a list of URLs.')
    if (value.length > limits.urls)
      return this.#add(name, 'too_many', `has ${value.length} entries; at most ${limits.urls} are taken.`)
    const items = new StatementReader(value as JsonValue[], this.#issues, `${this.#prefix}${name}.`)
    const urls = Array.from(value, (_, index) => items.url(index))
    return [...new Set(urls.filter(url => url !== null))].sort()
  }

  author(name: string): JsonObject | null {
    const value = this.#members[name]
    if (value === undefined) return this.#add(name, 'required', 'is missing.')
    if (!isObject(value)) return this.#add(name, 'wrong_type', 'must be an object.')
    const author = new StatementReader(value, this.#issues, `${name}.`)
    author.refuseUnknown(['label', 'claimed_role', 'canonical_url'])
    return {
      label: author.text('label', limits.label),
      claimed_role: author.word('claimed_role', roles),
      canonical_url: author.#isAbsent('canonical_url') ? null : author.url('canonical_url')
    }
  }

  language(name: string): string | null {
    if (this.#isAbsent(name)) return 'und'
    const language = this.text(name, limits.language)?.toLowerCase()
    if (language === undefined) return null
    return languageForm.test(language)
      ? language
      : this.#add(name, 'invalid_format', 'must be a language tag such as `en` or `zh-hant`, or `und`.')
  }

  moment(name: string): string | null {
    const text = this.text(name, 64)
    return text === null ? null : (utcMoment(text) ?? this.#add(name, 'invalid_format', `must be ${momentForm}.`))
  }

  reference(name: string): string | null {
    const text = this.#isAbsent(name) ? null : this.text(name, 100)
    if (text === null) return null
    const digits = hashForm.exec(text.toLowerCase())?.[1]
    return digits === undefined ? this.#add(name, 'invalid_format', `must be ${referenceForm}.`) : `sha256:${digits}`
  }

  refuseUnknown(known: readonly string[]): void {
    for (const name of Object.keys(this.#members)) {
      if (known.includes(name)) continue
      const path = `${this.#prefix}${name.slice(0, 80)}`
      const members = known.map(member => `\`${this.#prefix}${member}\``).join(', ')
      const message = `A statement has no member \`${path}\`; it has ${members}.`
      this.#issues.push({ path, code: 'unknown_field', message })
    }
  }
}

type Normalised = Readonly<{ ok: true; statement: NormalStatement } | { ok: false; issues: readonly StatementIssue[] }>

const members = Object.keys(NormalStatement.properties)

/** Returns a statement in its normal form, or everything that is wrong with it. Normalising is idempotent. */
export function normaliseStatement(body: JsonObject): Normalised {
  const issues: StatementIssue[] = []
  const reader = new StatementReader(body, issues)
  reader.refuseUnknown(members)
  const statement = {
    schema: reader.constant('schema', schema),
    canonicalization: reader.constant('canonicalization', canonicalization),
    relation_key: reader.text('relation_key', limits.relationKey),
    target_revision: reader.text('target_revision', limits.targetRevision),
    kind: reader.word('kind', kinds),
    body: reader.text('body', limits.body, true),
    language: reader.language('language'),
    declared_by: reader.author('declared_by'),
    declared_at: reader.moment('declared_at'),
    in_response_to: reader.reference('in_response_to'),
    evidence_urls: reader.urls('evidence_urls'),
    authority_evidence_urls: reader.urls('authority_evidence_urls')
  }
  // A reader that returns null for an invalid value also adds an issue; without issues, all members have their types.
  return issues.length > 0 ? { ok: false, issues } : { ok: true, statement: statement as NormalStatement }
}
