import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import { utcMoment } from '../../witness/utc-moment.ts'
import { statementContract, type NormalStatement } from './contract.ts'
import { Issues, type StatementIssue } from './issues.ts'
import { readConstant, readText, readWord } from './text.ts'
import { readUrl, readUrls } from './urls.ts'

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
