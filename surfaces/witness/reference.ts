import { invalid } from 'pantry/data'
import type { Level } from './recognition.ts'

const form = /^(?:level-([123]):|sha256:)?([0-9a-f]{64})$/

/**
 * Parses a reference and returns its normalised form and the next level. A bare hash counts as a receipt of level 1.
 */
export function readReference(text: string): { reference: string; level: Level } {
  const [, level = '1', hash] = form.exec(text.trim().toLowerCase()) ?? []
  if (hash === undefined)
    throw invalid(
      'in_response_to',
      '`in_response_to` must be the `reference` of a receipt: `level-1:`, `level-2:` or `level-3:` and 64 hex digits.'
    )
  return { reference: `level-${level}:${hash}`, level: level === '1' ? 2 : 3 }
}
