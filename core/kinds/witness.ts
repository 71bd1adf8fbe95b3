import { canonicalize, sha256Hex, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestion } from '../diagnostics/suggest.ts'
import { invalid } from '../handler/errors.ts'
import type { ManifestFile } from '../manifest/kind.ts'
import { closed, Field, type ManifestWith } from '../manifest/manifest.ts'
import { readPlaceholders } from '../manifest/rules.ts'
import { normaliseText, type NormaliseStep, type Surface } from '../manifest/surface.ts'
import type { ContentSource } from '../plan/kind.ts'
import { checkSchema, compileSchema } from '../schema/compile.ts'
import { inferSchema, propertiesOf, typesOf } from '../schema/json-schema.ts'
import { unsafePatternHint, unsafePatterns } from '../schema/patterns.ts'
import { report, type SourceFile } from '../source/report.ts'
import {
  declaredContracts,
  exactly,
  FixedMembers,
  fixedMembers,
  freeMembers,
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
      schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the body, an object.' })
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
    Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ type: 'object', required: ['title'] }],
      description:
        'JSON Schema that the normalised body should match. Members that it omits are listed in `report`; no body is refused for them.'
    })
  ),
  receipt: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ persisted: false }],
      description: 'Constants of the receipt.'
    })
  ),
  with: FixedMembers('the echo')
}

type WitnessManifest = ManifestWith<typeof fields>

/** The names of the members that a witness writes itself. */
const own = ['echo', 'content_hash', 'hash_contract', 'received_at', 'report', 'receipt']

/** M315, M316: a schema must describe an object and compile, and its patterns must not backtrack without bound. */
function objectSchema(source: SourceFile, at: readonly string[], schema: JsonSchema): Diagnostic[] {
  const issues =
    schema['type'] === 'object'
      ? checkSchema(schema)
      : [{ pointer: ['type'], on: 'value' as const, message: 'The schema must have `type: object`.' }]
  if (issues.length > 0)
    return issues.map(issue => report(source, 'M315', [...at, ...issue.pointer], issue.message, { on: issue.on }))
  return unsafePatterns(schema).map(({ pointer, pattern }) =>
    report(source, 'M316', [...at, ...pointer], `\`${pattern}\` can backtrack without bound.`, {
      hint: unsafePatternHint
    })
  )
}

/**
 * M313 to M316: the schemas of body and advice must be valid, and `hash.over` and `normalise` must name members of the
 * body.
 */
function checkBody({ source, manifest }: ManifestFile<WitnessManifest>): Diagnostic[] {
  const schemas = [
    ...objectSchema(source, ['body', 'schema'], manifest.body.schema),
    ...(manifest.advice === undefined ? [] : objectSchema(source, ['advice'], manifest.advice))
  ]
  if (schemas.some(({ code }) => code === 'M315')) return schemas
  const properties = propertiesOf(manifest.body.schema)
  const names = Object.keys(properties)
  const over = manifest.hash.over.flatMap((name, index) =>
    name in properties
      ? []
      : [
          report(source, 'M313', ['hash', 'over', index], `The body schema has no member \`${name}\`.`, {
            hint: suggestion(name, names)
          })
        ]
  )
  const normalised = Object.keys(manifest.normalise ?? {}).flatMap(name => {
    const member = properties[name]
    if (member === undefined)
      return [
        report(source, 'M314', ['normalise', name], `The body schema has no member \`${name}\`.`, {
          on: 'key',
          hint: suggestion(name, names)
        })
      ]
    return typesOf(member).includes('string')
      ? []
      : [
          report(source, 'M314', ['normalise', name], `\`${name}\` is not a text, so there is nothing to normalise.`, {
            on: 'key'
          })
        ]
  })
  return [...schemas, ...over, ...normalised]
}

const checkWitness = (file: ManifestFile<WitnessManifest>): Diagnostic[] => [
  ...checkBody(file),
  ...freeMembers(file, file.manifest.with, own)
]

type WitnessAnswer = Readonly<{
  normalise: Readonly<Record<string, readonly NormaliseStep[]>>
  /** Versioned identifier of the hash contract, and the members of the normalised body that the hash covers. */
  hash: Readonly<{ contract: string; over: readonly string[] }>
  /** Schema that the normalised body should match. Deviations are reported, but the body is still accepted. */
  advice?: JsonSchema
  /** Constants of the receipt. */
  receipt: JsonObject
  /** Members before the echo. */
  fixed: JsonObject
}>

/**
 * Returns a function that reports how a body deviates from the advice. A missing field is only reported as left out,
 * not as required, because nothing is refused.
 */
function compileAdvice(schema: JsonSchema): (body: JsonObject) => JsonObject {
  const check = compileSchema(schema)
  return body => {
    const advice = check(body).map(({ pointer, rule, key, message }) => ({
      field: [...pointer, ...(rule === 'missing' && key !== undefined ? [key] : [])].join('.'),
      message: rule === 'missing' && key !== undefined ? `\`${key}\` is left out.` : message
    }))
    return { complete: advice.length === 0, advice }
  }
}

/**
 * Compiles a surface that checks, normalises, hashes and echoes a body. It has no capabilities, so it cannot store
 * anything. The hash covers the canonical JSON (RFC 8785) of the members that the contract names; absent ones count as
 * null.
 */
export function compileWitness(surface: Surface<WitnessAnswer>): ContentSource {
  const { normalise, hash, advice, receipt, fixed } = surface.answer
  const advise = advice === undefined ? undefined : compileAdvice(advice)
  return {
    when: 'live',
    answer: ({ body }, { time }) => {
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw invalid('body', 'The body must be a JSON object.')
      const echo: Record<string, JsonValue> = { ...(body as JsonObject) }
      for (const [field, wanted] of Object.entries(normalise)) {
        const value = echo[field]
        if (typeof value === 'string') echo[field] = normaliseText(value, wanted)
        if (echo[field] === '') throw invalid(field, `\`${field}\` is empty after normalisation.`)
      }
      const covered = Object.fromEntries(hash.over.map(name => [name, echo[name] ?? null]))
      return {
        status: 200,
        data: {
          ...fixed,
          echo,
          content_hash: sha256Hex(canonicalize(covered)),
          hash_contract: { id: hash.contract, over: hash.over },
          received_at: time,
          ...(advise === undefined ? {} : { report: advise(echo) }),
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
