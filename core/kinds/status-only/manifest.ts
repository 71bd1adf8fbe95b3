import { Type } from '../../canonical/type.ts'
import { AnyMethods, type ManifestWith } from '../../manifest/manifest.ts'
import { EchoField } from '../echo.ts'

export const fields = {
  method: Type.Optional(AnyMethods),
  status: Type.Integer({ minimum: 200, maximum: 599, examples: [503], description: 'HTTP status of every answer.' }),
  location: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^(/|https?://)',
      examples: ['/api/v1/guides/{slug}'],
      description: 'Where a redirect leads: a path, with the placeholders of `path`, or a URL. Sent as `Location`.'
    })
  ),
  code: Type.Optional(
    Type.String({
      pattern: '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$',
      examples: ['SOURCE_UNAVAILABLE'],
      description:
        'Error code of a failure, of the framework or declared under `errors:` in `service.yaml`; may be left out where only one code has the status.'
    })
  ),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      examples: ['Loans are never published.'],
      description: 'Message of a failure.'
    })
  ),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ back: '2027-01-01' }],
      description: 'Details of a failure.'
    })
  ),
  answer: Type.Optional(
    Type.Unknown({
      examples: [{ publication_status: 'paused' }],
      description:
        'The answer itself, such as a status document; a list is one line for each item in the format `ndjson`.'
    })
  ),
  echo: EchoField,
  retry_after: Type.Optional(
    Type.Integer({ minimum: 1, examples: [86_400], description: 'Seconds, sent as Retry-After.' })
  )
}

export type StatusOnlyManifest = ManifestWith<typeof fields>
