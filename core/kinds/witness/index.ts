import type { JsonObject } from '../../canonical/json.ts'
import { readPlaceholders } from '../../manifest/rules.ts'
import { inferSchema } from '../../schema/json-schema.ts'
import { fixedMembers, renamedMembers } from '../fixed-members.ts'
import { declaredContracts } from '../contracts.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, nameOf, withoutPlaceholders, type Scaffold } from '../scaffold.ts'
import { exactly, text } from '../schemas.ts'
import { checkWitness } from './check.ts'
import { fields, type WitnessManifest } from './manifest.ts'
import { compileWitness, type WitnessAnswer } from './source.ts'

const scaffold: Scaffold = ({ id, path = defaultPath(id) }, { registry: { service } }) => ({
  path: withoutPlaceholders('witness', path),
  provenance: 'computed',
  fields: {
    method: 'POST',
    body: {
      limit_bytes: 4096,
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['text'],
        properties: { text: { type: 'string', minLength: 1, maxLength: 500 } }
      }
    },
    normalise: { text: ['nfc', 'trim'] },
    hash: { contract: `${service.id}.${nameOf(id)}/1`, over: ['text'] },
    receipt: { persisted: false, authenticated: false }
  },
  examples: [
    {
      title: 'A text is given back with its hash',
      body: { text: 'hello' },
      expect: { shows: { '/data/receipt/persisted': false } }
    }
  ]
})

export const witness = defineKind<WitnessManifest, WitnessAnswer>({
  name: 'witness',
  meaning: 'Checks, normalises, hashes and echoes a body; keeps nothing.',
  reaches: [],
  fields,
  renamed: renamedMembers,
  holds: ['value'],
  contracts: declaredContracts,
  check: checkWitness,
  checkPath: file => readPlaceholders(file, []),
  answer: ({ manifest }) => ({
    normalise: manifest.normalise ?? {},
    hash: manifest.hash,
    ...(manifest.advice === undefined ? {} : { advice: manifest.advice }),
    receipt: (manifest.receipt ?? {}) as JsonObject,
    fixed: (manifest.with ?? {}) as JsonObject
  }),
  facts: ({ hash }) => ({ promises: { 'hash contract': hash } }),
  input: ({ manifest: { body } }) => ({ body: { schema: body.schema, limitBytes: body.limit_bytes } }),
  output: ({ answer: { hash, advice, receipt, fixed }, input }) =>
    exactly({
      ...fixedMembers(fixed),
      echo: input.body?.schema ?? {},
      content_hash: {
        type: 'string',
        pattern: '^[0-9a-f]{64}$',
        description: 'SHA-256 over the canonical JSON (RFC 8785) of the covered members, lowercase hex.'
      },
      hash_contract: exactly({
        id: { type: 'string', const: hash.contract },
        over: { type: 'array', items: { type: 'string' } }
      }),
      received_at: { type: 'string', format: 'date-time' },
      ...(advice === undefined
        ? {}
        : {
            report: exactly({
              complete: { type: 'boolean', description: 'Whether nothing is advised.' },
              advice: {
                type: 'array',
                items: exactly({ field: text('Where in the body.'), message: text('What could be added or changed.') })
              }
            })
          }),
      receipt: inferSchema(receipt)
    }),
  compile: compileWitness,
  scaffold
})
