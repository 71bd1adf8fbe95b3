import { isObject, urlOf, type JsonObject, type JsonValue } from 'pantry/data'
import { utcMoment } from '../calendar.ts'
import { statementContract, type NormalStatement } from './statement.ts'

type IssueCode =
  | 'required'
  | 'wrong_type'
  | 'unknown_field'
  | 'unsupported_value'
  | 'too_long'
  | 'too_many'
  | 'control_character'
  | 'invalid_format'

/** A mistake in a member; `path` joins names and positions by dots. */
type StatementIssue = Readonly<{ path: string; code: IssueCode; message: string }>

/** Collects the mistakes in one statement. */
class Issues {
  readonly list: StatementIssue[] = []

  /** Adds a mistake; returns null as the replacement for the invalid value. */
  add(path: string, code: IssueCode, message: string): null {
    this.list.push({ path, code, message })
    return null
  }
}

type TextRule = Readonly<{
  path: string
  /** The most Unicode scalar values. */
  most: number
  /** Whether line feeds are allowed; CR LF and CR are converted to them. */
  lines?: boolean
}>

// Control characters C0, DEL and C1 (ISO/IEC 6429); the second pattern allows line feeds.
const controls = /[\u0000-\u001f\u007f-\u009f]/
const controlsInLines = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/

/** Reads a required text: trimmed, in Unicode form NFC, not empty, without control characters, and not too long. */
function readText(
  value: JsonValue | undefined,
  { path, most, lines = false }: TextRule,
  issues: Issues
): string | null {
  if (value === undefined) return issues.add(path, 'required', `\`${path}\` is missing.`)
  if (typeof value !== 'string') return issues.add(path, 'wrong_type', `\`${path}\` must be a text.`)
  if (!value.isWellFormed()) return issues.add(path, 'invalid_format', `\`${path}\` holds an unpaired surrogate.`)
  const text = (lines ? value.replace(/\r\n?/g, '\n') : value).trim().normalize('NFC')
  if (text === '') return issues.add(path, 'required', `\`${path}\` is blank.`)
  if ((lines ? controlsInLines : controls).test(text)) {
    return issues.add(
      path,
      'control_character',
      `\`${path}\` holds a control character${lines ? ' other than a line feed' : ''}.`
    )
  }
  const { length } = Array.from(text)
  if (length > most)
    return issues.add(path, 'too_long', `\`${path}\` has ${length} characters; at most ${most} are taken.`)
  return text
}

/** Reads a text that must be one of a few words, in any letter case. */
function readWord<Word extends string>(
  value: JsonValue | undefined,
  rule: Readonly<{ path: string; allowed: readonly Word[] }>,
  issues: Issues
): Word | null {
  const { path, allowed } = rule
  const given = readText(value, { path, most: 100 }, issues)?.toLowerCase() ?? null
  if (given === null) return null
  return (
    allowed.find(one => one === given) ??
    issues.add(path, 'unsupported_value', `\`${path}\` must be one of ${allowed.map(one => `\`${one}\``).join(', ')}.`)
  )
}

/** Reads a text that must equal a constant. */
function readConstant<Constant extends string>(
  value: JsonValue | undefined,
  rule: Readonly<{ path: string; constant: Constant }>,
  issues: Issues
): Constant | null {
  const { path, constant } = rule
  const text = readText(value, { path, most: 100 }, issues)
  if (text === null) return null
  return text === constant ? constant : issues.add(path, 'unsupported_value', `\`${path}\` must be \`${constant}\`.`)
}

const { limits: bounds } = statementContract

/** Reads an https URL without credentials and serialises it as in the URL Standard. The URL is never fetched. */
function readUrl(value: JsonValue, path: string, issues: Issues): string | null {
  const text = readText(value, { path, most: bounds.url }, issues)
  if (text === null) return null
  const refuse = (why: string): null => issues.add(path, 'invalid_format', `\`${path}\` ${why}`)
  if (/\s/.test(text)) return refuse('holds white space.')
  const url = /^https:\/\//i.test(text) ? urlOf(text) : undefined
  if (url === undefined) return refuse('must be a complete https URL.')
  if (url.username !== '' || url.password !== '') return refuse('must not carry credentials.')
  const serialised = url.href.normalize('NFC')
  // The length is checked again, because percent-encoding makes a text longer.
  return serialised.length <= bounds.url
    ? serialised
    : issues.add(path, 'too_long', `\`${path}\` is longer than ${bounds.url} characters as it is serialised.`)
}

/** Reads a list of URLs; removes duplicates and sorts by UTF-16 code units. A missing list is empty. */
function readUrls(value: JsonValue | undefined, path: string, issues: Issues): readonly string[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return issues.add(path, 'wrong_type', `\`${path}\` must be a list of URLs.`)
  const items = value as readonly JsonValue[]
  if (items.length > bounds.urls)
    return issues.add(path, 'too_many', `\`${path}\` has ${items.length} entries; at most ${bounds.urls} are taken.`)
  const urls = items.map((item, index) => readUrl(item, `${path}.${index}`, issues))
  return [...new Set(urls.filter(url => url !== null))].sort()
}

const { schema, canonicalization, kinds, roles, limits } = statementContract

const members = [
  'schema',
  'canonicalization',
  'relation_key',
  'target_revision',
  'kind',
  'body',
  'language',
  'declared_by',
  'declared_at',
  'in_response_to',
  'evidence_urls',
  'authority_evidence_urls'
]
const authorMembers = ['label', 'claimed_role', 'canonical_url']

const languageForm = /^(?:und|[a-z]{2,8}(?:-[a-z0-9]{1,8})*)$/
const momentForm =
  'a moment by RFC 3339 with an explicit zone, in the years 0001 to 9999 of UTC, such as `2026-11-20T12:00:00Z`'
const referenceForm = 'the SHA-256 of a statement: 64 hex digits, with or without `sha256:` before them'
const hashForm = /^(?:sha256:)?([0-9a-f]{64})$/

function refuseUnknown(value: JsonObject, known: readonly string[], where: string, issues: Issues): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    const path = `${where}${name.slice(0, 80)}`
    issues.add(
      path,
      'unknown_field',
      `A statement has no member \`${path}\`; it has ${known.map(one => `\`${where}${one}\``).join(', ')}.`
    )
  }
}

function readAuthor(value: JsonValue | undefined, issues: Issues): JsonObject | null {
  if (value === undefined) return issues.add('declared_by', 'required', '`declared_by` is missing.')
  if (!isObject(value)) return issues.add('declared_by', 'wrong_type', '`declared_by` must be an object.')
  refuseUnknown(value, authorMembers, 'declared_by.', issues)
  const { label, claimed_role: role, canonical_url: url } = value
  return {
    label: readText(label, { path: 'declared_by.label', most: limits.label }, issues),
    claimed_role: readWord(role, { path: 'declared_by.claimed_role', allowed: roles }, issues),
    canonical_url: url === undefined || url === null ? null : readUrl(url, 'declared_by.canonical_url', issues)
  }
}

function readLanguage(value: JsonValue | undefined, issues: Issues): string | null {
  if (value === undefined || value === null) return 'und'
  const language = readText(value, { path: 'language', most: limits.language }, issues)?.toLowerCase() ?? null
  if (language === null || languageForm.test(language)) return language
  return issues.add(
    'language',
    'invalid_format',
    '`language` must be a language tag such as `en` or `zh-hant`, or `und`.'
  )
}

function readMoment(value: JsonValue | undefined, issues: Issues): string | null {
  const text = readText(value, { path: 'declared_at', most: 64 }, issues)
  if (text === null) return null
  return utcMoment(text) ?? issues.add('declared_at', 'invalid_format', `\`declared_at\` must be ${momentForm}.`)
}

function readReference(value: JsonValue | undefined, issues: Issues): string | null {
  if (value === undefined || value === null) return null
  const text = readText(value, { path: 'in_response_to', most: 100 }, issues)
  if (text === null) return null
  const digits = hashForm.exec(text.toLowerCase())?.[1]
  return digits === undefined
    ? issues.add('in_response_to', 'invalid_format', `\`in_response_to\` must be ${referenceForm}.`)
    : `sha256:${digits}`
}

type Normalised = Readonly<{ ok: true; statement: NormalStatement } | { ok: false; issues: readonly StatementIssue[] }>

/** Normalises a statement, or returns everything that is wrong with it. Normalising is idempotent. */
export function normaliseStatement(given: JsonObject): Normalised {
  const issues = new Issues()
  refuseUnknown(given, members, '', issues)
  const statement = {
    schema: readConstant(given['schema'], { path: 'schema', constant: schema }, issues),
    canonicalization: readConstant(
      given['canonicalization'],
      { path: 'canonicalization', constant: canonicalization },
      issues
    ),
    relation_key: readText(given['relation_key'], { path: 'relation_key', most: limits.relationKey }, issues),
    target_revision: readText(
      given['target_revision'],
      { path: 'target_revision', most: limits.targetRevision },
      issues
    ),
    kind: readWord(given['kind'], { path: 'kind', allowed: kinds }, issues),
    body: readText(given['body'], { path: 'body', most: limits.body, lines: true }, issues),
    language: readLanguage(given['language'], issues),
    declared_by: readAuthor(given['declared_by'], issues),
    declared_at: readMoment(given['declared_at'], issues),
    in_response_to: readReference(given['in_response_to'], issues),
    evidence_urls: readUrls(given['evidence_urls'], 'evidence_urls', issues),
    authority_evidence_urls: readUrls(given['authority_evidence_urls'], 'authority_evidence_urls', issues)
  }
  if (issues.list.length > 0) return { ok: false, issues: issues.list }
  // A reader that returns null for an invalid value also adds an issue; as there are none, all members have their
  // types.
  return { ok: true, statement: statement as NormalStatement }
}
