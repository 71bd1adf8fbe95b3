import type { JsonObject } from 'pantry/data'

/** How the fingerprint of a declaration is computed. Any change of this requires a new version. */
export const fingerprintContract = {
  id: 'pantry-cards.identify.canonical-json/1',
  algorithm: 'sha256',
  encoding: '64 lowercase hex digits',
  canonicalization: 'RFC 8785, at every depth',
  covers: 'The whole `echo` of the answer, and nothing else.'
} as const

// Parts that most canonical texts share.
const noCapabilities =
  '"capabilities":{"accepts_link_headers":null,"bearer_auth_available":null,"honours_cache_control":null,"max_response_kb":null,"provider_shape":null,"streaming":{"chunked":null,"ndjson":null,"sse":null,"websocket":null}}'
const nothingElse =
  '"cosmology_assumptions":{},"declared_at":null,"preferred_modalities":[],"response_window_hours":null,"self_label":"(anonymous)","signaling_protocol":null,"signing_key":null,"well_known_url":null}'

/**
 * A declaration with its canonical text and hash. The vectors never change, so that others can test their own
 * implementations.
 */
type Vector = Readonly<{ name: string; declaration: JsonObject; canonical_text: string; content_hash: string }>

export const normativeVectors: readonly Vector[] = [
  {
    name: 'Nothing is declared',
    declaration: {},
    canonical_text: `{"actor_kind":"other","audience_declarations":[],${noCapabilities},"context":{},${nothingElse}`,
    content_hash: 'f408f8e03a6e8182860ce92a034ae25db45855837e59fd31c75ab849f7a0f280'
  },
  {
    name: 'A value three levels down',
    declaration: { actor_kind: 'agent', context: { a: { b: { c: 1 } } } },
    canonical_text: `{"actor_kind":"agent","audience_declarations":[],${noCapabilities},"context":{"a":{"b":{"c":1}}},${nothingElse}`,
    content_hash: 'b4c28aa5c426cd5ac0b5d1e212068ac6daa8afd6b704c3c8d77d5413186d9f37'
  },
  {
    name: 'Another value in its place',
    declaration: { actor_kind: 'agent', context: { a: { b: { c: 2 } } } },
    canonical_text: `{"actor_kind":"agent","audience_declarations":[],${noCapabilities},"context":{"a":{"b":{"c":2}}},${nothingElse}`,
    content_hash: '8d4a8807998df9e581fc267150325cfeb86a4d623f6a47de3820136196cf619d'
  },
  {
    name: 'Order, Unicode and numbers',
    declaration: {
      self_label: '  Cafe\u0301 \u{1f0cf} ',
      context: { '\ufb33': 1e21, '\u{1f600}': [0.000001, 1.5, null], b: 'B', a: true },
      actor_kind: 'COLLECTIVE',
      declared_at: '2026-11-20T13:00:00.5+01:00'
    },
    canonical_text: `{"actor_kind":"collective","audience_declarations":[],${noCapabilities},"context":{"a":true,"b":"B","\u{1f600}":[0.000001,1.5,null],"\u{fb33}":1e+21},"cosmology_assumptions":{},"declared_at":"2026-11-20T12:00:00.500Z","preferred_modalities":[],"response_window_hours":null,"self_label":"Caf\u{e9} \u{1f0cf}","signaling_protocol":null,"signing_key":null,"well_known_url":null}`,
    content_hash: '4aae73001afd7fff250a4a3ee6bc56865522261300e124fc75a09692f4e144ac'
  }
]
