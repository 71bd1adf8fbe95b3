import { report } from '../../source/report.ts'
import { formats, type Format, type Kind } from '../../vocabulary/words.ts'
import type { ManifestRule } from './rule.ts'

const texts = ['json', 'md', 'txt', 'html'] as const
const prompts = ['xenoform', 'anthropic', 'openai', 'gemini', 'cohere'] as const

/** Formats that have something to render in an answer of the kind. */
const offered: Readonly<Record<Kind, readonly Format[]>> = {
  'status-only': [...texts, 'ndjson'],
  document: [...texts, 'svg', ...prompts],
  collection: [...texts, 'atom', 'ndjson'],
  entry: [...texts, 'svg', ...prompts],
  witness: ['json'],
  discovery: formats,
  handler: formats
}

/** M311: a format that the kind offers. M309: `lines` and `ndjson` go together, and exclude a document. */
export const offeredFormats: ManifestRule = ({ source, manifest }) => {
  const chosen = manifest.formats ?? ['json']
  const wrong = chosen.flatMap((format, index) => offered[manifest.kind].includes(format) ? [] : [
    report(source, 'M311', ['formats', index], `Kind \`${manifest.kind}\` does not offer \`${format}\`.`, { hint: `It offers ${offered[manifest.kind].map(one => `\`${one}\``).join(', ')}.` })
  ])
  if (manifest.kind !== 'status-only') return wrong
  const { lines, document } = manifest
  const isLines = chosen.includes('ndjson')
  if (lines !== undefined && document !== undefined) return [...wrong, report(source, 'M309', ['document'], 'The answer is given twice, as `document` and as `lines`.', { on: 'key', hint: 'Keep one of them.' })]
  if (lines !== undefined && (!isLines || chosen.length > 1)) return [...wrong, report(source, 'M309', ['lines'], '`lines` are written as NDJSON and as nothing else.', { on: 'key', hint: 'Write `formats: [ndjson]`.' })]
  return isLines && lines === undefined ? [...wrong, report(source, 'M309', ['formats'], 'An NDJSON answer needs `lines`.', { hint: 'Write `lines:` with one value per line.' })] : wrong
}
