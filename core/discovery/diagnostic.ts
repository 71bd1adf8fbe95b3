import { Type } from '../canonical/type.ts'
import { preambleFields } from '../contract/math-mirror.ts'
import { errorCodesOf } from '../manifest/service-defaults.ts'
import { howToUse, whatToCheck } from '../vocabulary/descriptions.ts'
import { metaFields } from '../vocabulary/words.ts'
import { Closed, defineDocument, ListOf, MapOf, Nullable, Path, Text, Texts } from './define.ts'
import { sampleMeta } from './meta-schema.ts'
import { relationTargetOf, surfaceOf } from './pointers.ts'

const Document = Closed({
  '@kind': Type.Literal('diagnostic'),
  '@diagnostic_spec_version': Type.Literal('1'),
  how_to_use: Texts,
  known_good: Closed(
    {
      data: Closed({
        text: Text,
        number: Type.Integer(),
        truth: Type.Boolean(),
        nothing: Type.Null(),
        list: Type.Array(Type.Integer()),
        beyond_ascii: Text
      }),
      _meta: Type.Unknown({ description: 'A complete `_meta`, as the writer of every enveloped answer makes it.' })
    },
    'An envelope as this service writes it. Your parser should read it without loss.'
  ),
  self_test_assertions: Closed({
    envelope_must_have: Texts,
    math_mirror_preamble_must_have: Texts,
    link_header_must_include: Texts,
    error_must_have: Texts,
    spec_version: Text
  }),
  error_codes: ListOf({ code: Text, status: Type.Integer(), meaning: Text }),
  freshness_keys: MapOf(Closed({ seconds: Type.Integer(), meaning: Text })),
  license_tier_exemplars: ListOf({
    tier: Text,
    meaning: Text,
    open: Type.Boolean(),
    label: Text,
    surfaces: Type.Integer(),
    example_endpoint: Nullable(Path)
  }),
  if_your_parser_fails_check: Texts,
  feedback_endpoint: Nullable(Path)
})

export const diagnostic = defineDocument(Document)({
  build: registry => {
    const { service, surfaces } = registry
    const { textOf } = registry.language
    const surface = surfaceOf(registry, 'diagnostic') ?? surfaces[0]
    return {
      '@kind': 'diagnostic',
      '@diagnostic_spec_version': '1',
      how_to_use: howToUse.map(textOf),
      known_good: {
        data: {
          text: 'plain',
          number: 9007199254740991,
          truth: true,
          nothing: null,
          list: [1, 2, 3],
          beyond_ascii: 'naïve 日本語 🂡'
        },
        _meta: surface === undefined ? {} : sampleMeta(registry, surface)
      },
      self_test_assertions: {
        envelope_must_have: [...metaFields, ...Object.keys(service.envelope)],
        math_mirror_preamble_must_have: preambleFields,
        link_header_must_include: service.links.map(link => link.rel),
        error_must_have: ['code', 'status', 'message', 'docs'],
        spec_version: service.spec_version
      },
      error_codes: Object.entries(errorCodesOf(service)).map(([code, { status, meaning }]) => ({
        code,
        status,
        meaning: textOf(meaning)
      })),
      freshness_keys: service.freshness,
      license_tier_exemplars: Object.entries(service.tiers).map(([tier, { meaning, open, label }]) => {
        const own = surfaces.filter(surface => surface.license === tier)
        return { tier, meaning, open, label, surfaces: own.length, example_endpoint: own[0]?.route.path ?? null }
      }),
      if_your_parser_fails_check: whatToCheck.map(textOf),
      feedback_endpoint: relationTargetOf(registry, 'feedback')
    }
  }
})
