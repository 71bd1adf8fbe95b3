import { Type } from '../canonical/type.ts'
import { preambleFields } from '../contract/math-mirror.ts'
import { errorCodesOf } from '../manifest/service-defaults.ts'
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
    const surface = surfaceOf(registry, 'diagnostic') ?? surfaces[0]
    return {
      '@kind': 'diagnostic',
      '@diagnostic_spec_version': '1',
      how_to_use: [
        'Parse `known_good` with the code you use for real answers.',
        'Check that `data` comes back as it is here: the number as an integer, `nothing` as null, `beyond_ascii` letter by letter.',
        'Check that your code finds every field of `envelope_must_have` in `_meta`, and does not fail on one it does not know.',
        'Look at the headers of this very answer and compare `Link` with `link_header_must_include`.'
      ],
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
      error_codes: Object.entries(errorCodesOf(service)).map(([code, error]) => ({ code, ...error })),
      freshness_keys: service.freshness,
      license_tier_exemplars: Object.entries(service.tiers).map(([tier, { meaning, open, label }]) => {
        const own = surfaces.filter(surface => surface.license === tier)
        return { tier, meaning, open, label, surfaces: own.length, example_endpoint: own[0]?.route.path ?? null }
      }),
      if_your_parser_fails_check: [
        'Whether it reads UTF-8, and not a guess from the first bytes.',
        'Whether it keeps integers up to 9007199254740991 exact.',
        'Whether it takes null for a value that is there and empty, not for an absent one.',
        'Whether it accepts members that were added after it was written: additions are not breaking changes here.'
      ],
      feedback_endpoint: relationTargetOf(registry, 'feedback')
    }
  }
})
