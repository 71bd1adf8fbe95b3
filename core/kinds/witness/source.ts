import { canonicalize, sha256Hex } from '../../canonical/canonical-json.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../canonical/json.ts'
import { invalid } from '../../handler/errors.ts'
import { normaliseText, type NormaliseStep, type Surface } from '../../manifest/surface.ts'
import type { ContentSource } from '../../plan/result.ts'
import { compileSchema } from '../../schema/compile.ts'

export type WitnessAnswer = Readonly<{
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
  const report = advice === undefined ? undefined : compileAdvice(advice)
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
          ...(report === undefined ? {} : { report: report(echo) }),
          receipt
        }
      }
    }
  }
}
