import { hashCanonical, isObject, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { checkObjectSchema } from '../corpus/declaration.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestionHint } from '../diagnostics/suggest.ts'
import { invalid } from '../handler/errors.ts'
import type { ManifestFile } from '../manifest/kind.ts'
import { closed, Field, type ManifestWith } from '../manifest/manifest.ts'
import { checkPlaceholders } from '../manifest/rules.ts'
import { normaliseText, type NormaliseStep, type Surface } from '../manifest/surface.ts'
import type { ContentSource } from '../plan/kind.ts'
import { compileSchema } from '../schema/compile.ts'
import { inferSchema, propertiesOf, typesOf } from '../schema/json-schema.ts'
import { report, type Pointer } from '../source/report.ts'
import {
  AnyMembers,
  declaredContracts,
  exactly,
  FixedMembers,
  fixedMembers,
  checkMemberNames,
  NormaliseSteps,
  renamedMembers,
  text
} from './fields.ts'
import { defineKind } from './kind.ts'
import { defaultPath, nameOf, withoutPlaceholders, type Scaffold } from './scaffold.ts'

const fields = {
  method: Type.Enum(['POST'], { examples: ['POST'], description: 'POST, the only method of this kind.' }),
  body: Type.Object(
    {
      limit_bytes: Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'Largest body in bytes.' }),
      schema: AnyMembers({ description: 'JSON Schema of the body, an object.' })
    },
    {
      ...closed,
      examples: [
        {
          limit_bytes: 4096,
          schema: { type: 'object', required: ['note'], properties: { note: { type: 'string', maxLength: 500 } } }
        }
      ],
      description: 'What is read: strict JSON.'
    }
  ),
  normalise: Type.Optional(
    Type.Record(Type.String(), NormaliseSteps, {
      examples: [{ note: ['trim', 'collapse-whitespace'] }],
      description: 'Steps applied to text fields of the body, in order.'
    })
  ),
  hash: Type.Object(
    {
      contract: Type.String({
        pattern: '^[a-z][a-z0-9.-]*/[0-9]+$',
        maxLength: 120,
        description: 'Versioned identifier of the hash contract, such as `note.canonical-json/1`.'
      }),
      over: Type.Array(Field, {
        minItems: 1,
        uniqueItems: true,
        description: 'Members of the normalised body that the hash covers.'
      })
    },
    {
      ...closed,
      examples: [{ contract: 'library.note/1', over: ['note'] }],
      description: 'The content hash: SHA-256 over the canonical JSON of these members.'
    }
  ),
  advice: Type.Optional(
    AnyMembers({
      examples: [{ type: 'object', required: ['title'] }],
      description:
        'JSON Schema that the normalised body should match. Members that it omits are listed in `report`; no body is refused for them.'
    })
  ),
  receipt: Type.Optional(AnyMembers({ examples: [{ persisted: false }], description: 'Constants of the receipt.' })),
  with: FixedMembers('the echo')
}

type WitnessManifest = ManifestWith<typeof fields>

type File = ManifestFile<WitnessManifest>

const own = ['echo', 'content_hash', 'hash_contract', 'received_at', 'report', 'receipt']

const schemaCodes = { invalid: 'M315', unsafe: 'M316' } as const

function* checkBody({ source, manifest: { body, advice, hash, normalise = {} } }: File): Generator<Diagnostic> {
  const schemas = [
    ...checkObjectSchema(source, ['body', 'schema'], body.schema, schemaCodes),
    ...(advice === undefined ? [] : checkObjectSchema(source, ['advice'], advice, schemaCodes))
  ]
  yield* schemas
  if (schemas.some(({ code }) => code === schemaCodes.invalid)) return
  const properties = propertiesOf(body.schema)
  const unknown = (code: 'M313' | 'M314', at: Pointer, name: string): Diagnostic =>
    report(source, code, at, `The body schema has no member \`${name}\`.`, {
      ...(code === 'M314' ? { on: 'key' } : {}),
      hint: suggestionHint(name, Object.keys(properties))
    })
  for (const [index, name] of hash.over.entries())
    if (!(name in properties)) yield unknown('M313', ['hash', 'over', index], name)
  for (const name of Object.keys(normalise)) {
    const [at, member] = [['normalise', name], properties[name]]
    if (member === undefined) yield unknown('M314', at, name)
    else if (!typesOf(member).includes('string'))
      yield report(source, 'M314', at, `\`${name}\` is not a text, so there is nothing to normalise.`, { on: 'key' })
  }
}

type WitnessAnswer = Readonly<{
  normalise: Readonly<Record<string, readonly NormaliseStep[]>>
  hash: Readonly<{ contract: string; over: readonly string[] }>
  /** Schema that the body should match: deviations are reported, but the body is still accepted. */
  advice: JsonSchema | undefined
  receipt: JsonObject
  /** The members under `with` in the manifest. The answer has them before the echo. */
  fixed: JsonObject
}>

/**
 * Returns a function that reports how a body differs from a schema. Missing fields are reported as left out, not as
 * required, because no body is refused for them.
 */
function compileAdvice(schema: JsonSchema): (body: JsonObject) => JsonObject {
  const check = compileSchema(schema)
  return body => {
    const advice = check(body).map(({ pointer, rule, key, message }) =>
      rule === 'missing' && key !== undefined
        ? { field: [...pointer, key].join('.'), message: `\`${key}\` is left out.` }
        : { field: pointer.join('.'), message }
    )
    return { complete: advice.length === 0, advice }
  }
}

/**
 * Compiles the answers of a witness. The kind has no capabilities, so it cannot store anything. The hash covers the
 * canonical JSON (RFC 8785) of the members in `hash.over`; absent ones count as null.
 */
export function compileWitness(surface: Surface<WitnessAnswer>): ContentSource {
  const { normalise, hash, advice, receipt, fixed } = surface.answer
  const adviseOn = advice === undefined ? undefined : compileAdvice(advice)
  return {
    when: 'live',
    answer: ({ body }, { time }) => {
      if (!isObject(body)) throw invalid('body', 'The body must be a JSON object.')
      const echo: Record<string, JsonValue> = { ...body }
      for (const [field, steps] of Object.entries(normalise)) {
        const value = echo[field]
        if (typeof value === 'string') echo[field] = normaliseText(value, steps)
        if (echo[field] === '') throw invalid(field, `\`${field}\` is empty after normalisation.`)
      }
      return {
        status: 200,
        data: {
          ...fixed,
          echo,
          content_hash: hashCanonical(Object.fromEntries(hash.over.map(name => [name, echo[name] ?? null]))),
          hash_contract: { id: hash.contract, over: hash.over },
          received_at: time,
          ...(adviseOn === undefined ? {} : { report: adviseOn(echo) }),
          receipt
        }
      }
    }
  }
}

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
  check: file => [...checkBody(file), ...checkMemberNames(file, file.manifest.with, own)],
  checkPath: file => checkPlaceholders(file, []),
  answer: ({ manifest: { normalise = {}, hash, advice, receipt = {}, with: fixed = {} } }) => ({
    normalise,
    hash,
    advice,
    receipt: receipt as JsonObject,
    fixed: fixed as JsonObject
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
