import { isObject } from '../../canonical/json.ts'
import { checkSchema } from '../../schema/compile.ts'
import { isSafePattern, unsafePatternHint } from '../../schema/patterns.ts'
import { report } from '../../source/report.ts'
import type { ManifestRule } from './rule.ts'

/** M320: what is echoed is a parameter of its own and has a document to stand in. M316: its form can be checked in linear time. */
export const echoedNames: ManifestRule = ({ source, manifest }) => {
  if ((manifest.kind !== 'status-only' && manifest.kind !== 'document') || manifest.echo === undefined) return []
  if (manifest.kind === 'status-only' && !isObject(manifest.document)) {
    return [report(source, 'M320', ['echo'], 'There is no mapping `document` for the echo to stand in.', { on: 'key', hint: 'Write `document:` with members.' })]
  }
  return Object.entries(manifest.echo).flatMap(([name, { pattern }]) => {
    const at = ['echo', name]
    if (name === 'format' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return [report(source, 'M320', at, `\`${name}\` cannot be the name of an echoed parameter.`, { on: 'key', hint: name === 'format' ? '`format` already chooses the representation.' : 'Use letters, digits and underscores.' })]
    }
    if (pattern === undefined) return []
    const wrong = checkSchema({ type: 'string', pattern })
    if (wrong.length > 0) return wrong.map(({ message }) => report(source, 'M320', [...at, 'pattern'], message))
    return isSafePattern(pattern) ? [] : [report(source, 'M316', [...at, 'pattern'], `\`${pattern}\` can backtrack without bound.`, { hint: unsafePatternHint })]
  })
}
