import { canonicalize, sha256Hex } from '../../canonical/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../canonical/json.ts'
import { invalid } from '../../handler/errors.ts'
import type { NormaliseStep, SurfaceOf } from '../../manifest/surface.ts'
import type { Source } from '../result.ts'

const steps: Readonly<Record<NormaliseStep, (text: string) => string>> = {
  trim: text => text.trim(),
  lowercase: text => text.toLowerCase(),
  nfc: text => text.normalize('NFC'),
  'collapse-whitespace': text => text.replace(/\s+/g, ' ')
}

/**
 * Checks, normalises, hashes and gives back what was sent. Given the input and the clock, it can keep nothing.
 * The hash covers the canonical JSON (RFC 8785) of the members the contract names, absent ones as null.
 */
export function compileWitness (surface: SurfaceOf<'witness'>): Source {
  const { normalise, hash, receipt } = surface.answer
  return {
    when: 'live',
    answer: ({ body }, { time }) => {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('body', 'The body must be a JSON object.')
      const echo: Record<string, JsonValue> = { ...(body as JsonObject) }
      for (const [field, wanted] of Object.entries(normalise)) {
        const value = echo[field]
        if (typeof value === 'string') echo[field] = wanted.reduce((text, step) => steps[step](text), value)
        if (echo[field] === '') throw invalid(field, `\`${field}\` is empty after normalisation.`)
      }
      const covered = Object.fromEntries(hash.over.map(name => [name, echo[name] ?? null]))
      return {
        status: 200,
        data: { echo, content_hash: sha256Hex(canonicalize(covered)), hash_contract: { id: hash.contract, over: hash.over }, received_at: time, receipt }
      }
    }
  }
}
