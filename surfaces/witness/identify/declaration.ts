import { isObject, suggest, type JsonObject, type JsonValue } from 'pantry/data'
import { readFreeObject } from './free-value.ts'
import type { Notes } from './notes.ts'
import type { IdentifyEcho } from './schemas.ts'
import { absent, readAddress, readFlag, readInteger, readList, readMoment, readText, readWord } from './values.ts'

/** The words and limits of a declaration. Lengths are in Unicode scalar values. */
export const declarationTerms = {
  actorKinds: [
    'human',
    'agent',
    'autonomous-assistant',
    'system',
    'platform',
    'collective',
    'oracle',
    'witness',
    'other'
  ],
  axes: ['identity', 'presence', 'time', 'value', 'transaction', 'authority', 'knowledge', 'substrate'],
  modalities: ['html', 'json', 'math', 'plain-text', 'audio', 'sse-stream'],
  providerShapes: ['anthropic', 'openai', 'gemini', 'cohere', 'raw_json'],
  protocols: ['well-known-url', 'did', 'x509', 'agentic-stamp', 'none'],
  streams: ['sse', 'chunked', 'ndjson', 'websocket'],
  limits: {
    bodyBytes: 65_536,
    label: 200,
    axis: 500,
    axes: 32,
    modalities: 16,
    audiences: 32,
    audience: 200,
    hours: 8760,
    responseKb: 1_000_000,
    url: 1000,
    key: 2000
  }
} as const

export const { actorKinds, axes, modalities, providerShapes, protocols, streams, limits } = declarationTerms

const declarationMembers = [
  'actor_kind',
  'self_label',
  'cosmology_assumptions',
  'preferred_modalities',
  'capabilities',
  'response_window_hours',
  'audience_declarations',
  'well_known_url',
  'signing_key',
  'signaling_protocol',
  'context',
  'declared_at'
] as const

const capabilityMembers = [
  'provider_shape',
  'bearer_auth_available',
  'streaming',
  'max_response_kb',
  'accepts_link_headers',
  'honours_cache_control'
]

const aliases = {
  kind: 'actor_kind',
  type: 'actor_kind',
  actorKind: 'actor_kind',
  name: 'self_label',
  label: 'self_label',
  selfLabel: 'self_label',
  modalities: 'preferred_modalities',
  cosmology: 'cosmology_assumptions',
  audience: 'audience_declarations',
  audiences: 'audience_declarations',
  responseWindowHours: 'response_window_hours'
}

/** Returns a member that is an object, or an empty object in its place. */
function objectOf(value: JsonValue | undefined, path: string, notes: Notes): JsonObject {
  if (isObject(value)) return value
  if (!absent(value)) notes.warn(path, 'wrong_type', `\`${path}\` must be an object; it was left out.`)
  return {}
}

/** Reads assumptions by axis. Any name is allowed as an axis; the eight known ones are optional. */
function readAssumptions(value: JsonValue | undefined, notes: Notes): IdentifyEcho['cosmology_assumptions'] {
  const path = 'cosmology_assumptions'
  const given = Object.entries(objectOf(value, path, notes)).sort(([a], [b]) => (a < b ? -1 : 1))
  if (given.length > limits.axes) notes.truncate(path, 'members', given.length, limits.axes)
  return Object.fromEntries(
    given.slice(0, limits.axes).flatMap(([axis, assumption]) => {
      if (axis.length > limits.label) {
        notes.warn(
          path,
          'name_too_long',
          `A name of ${axis.length} characters was left out; ${limits.label} are taken.`
        )
        return []
      }
      const text = readText(assumption, `${path}.${axis}`, limits.axis, notes)
      return text === null ? [] : [[axis, text]]
    })
  )
}

function readCapabilities(value: JsonValue | undefined, notes: Notes): IdentifyEcho['capabilities'] {
  const path = 'capabilities'
  const given = objectOf(value, path, notes)
  const streaming = objectOf(given['streaming'], `${path}.streaming`, notes)
  notes.refuseUnknown(Object.keys(given), capabilityMembers, { where: `${path}.` })
  notes.refuseUnknown(Object.keys(streaming), streams, { where: `${path}.streaming.` })
  const flag = (name: (typeof streams)[number]): boolean | null =>
    readFlag(streaming[name], `${path}.streaming.${name}`, notes)
  return {
    provider_shape: readWord(given['provider_shape'], `${path}.provider_shape`, providerShapes, notes),
    bearer_auth_available: readFlag(given['bearer_auth_available'], `${path}.bearer_auth_available`, notes),
    streaming: { sse: flag('sse'), chunked: flag('chunked'), ndjson: flag('ndjson'), websocket: flag('websocket') },
    max_response_kb: readInteger(
      given['max_response_kb'],
      `${path}.max_response_kb`,
      { least: 1, most: limits.responseKb },
      notes
    ),
    accepts_link_headers: readFlag(given['accepts_link_headers'], `${path}.accepts_link_headers`, notes),
    honours_cache_control: readFlag(given['honours_cache_control'], `${path}.honours_cache_control`, notes)
  }
}

/**
 * Normalises a declaration: all members are present, and null or empty if they have no usable value. Changes are
 * recorded in `notes`. Normalising is idempotent and then adds no notes.
 */
export function normaliseDeclaration(given: JsonObject, notes: Notes): IdentifyEcho {
  notes.refuseUnknown(Object.keys(given), declarationMembers, { aliases })
  return {
    actor_kind: readWord(given['actor_kind'], 'actor_kind', actorKinds, notes) ?? 'other',
    self_label: readText(given['self_label'], 'self_label', limits.label, notes) ?? '(anonymous)',
    cosmology_assumptions: readAssumptions(given['cosmology_assumptions'], notes),
    preferred_modalities: readList(
      given['preferred_modalities'],
      'preferred_modalities',
      limits.modalities,
      notes,
      (item, path) => readWord(item, path, modalities, notes)
    ),
    capabilities: readCapabilities(given['capabilities'], notes),
    response_window_hours: readInteger(
      given['response_window_hours'],
      'response_window_hours',
      { least: 1, most: limits.hours },
      notes
    ),
    audience_declarations: readList(
      given['audience_declarations'],
      'audience_declarations',
      limits.audiences,
      notes,
      (item, path) => readText(item, path, limits.audience, notes)
    ),
    well_known_url: readAddress(given['well_known_url'], 'well_known_url', limits.url, notes),
    signing_key: readText(given['signing_key'], 'signing_key', limits.key, notes),
    signaling_protocol: readWord(given['signaling_protocol'], 'signaling_protocol', protocols, notes),
    context: readFreeObject(objectOf(given['context'], 'context', notes), 'context', notes),
    declared_at: readMoment(given['declared_at'], 'declared_at', notes)
  }
}

/** Compares the axes in a declaration with those that this service knows. */
export function alignmentOf(assumptions: IdentifyEcho['cosmology_assumptions']): {
  matches: string[]
  extensions_proposed: { field: string; did_you_mean: string | null }[]
} {
  const names = Object.keys(assumptions)
  const known: readonly string[] = axes
  return {
    matches: names.filter(name => known.includes(name)),
    extensions_proposed: names
      .filter(name => !known.includes(name))
      .map(field => ({ field, did_you_mean: suggest(field, axes) ?? null }))
  }
}
