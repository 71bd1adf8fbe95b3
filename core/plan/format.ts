// How the format, the language and the content coding of an answer are chosen. What was chosen is remembered in a memo;
// the answers themselves are kept in memos too.

import { formatModules, type Format } from '../format/index.ts'
import type { Surface } from '../manifest/surface.ts'
import { createMemo } from './memo.ts'
import { negotiateFormat } from './negotiate.ts'
import type { PlanRequest } from './request.ts'
import type { PlanInput } from './result.ts'

const accepts = new Map(Object.entries(formatModules).map(([format, module]) => [format, module.accepts]))

/** Returns a function that chooses the format: `?format=`, else `Accept`, else the first format of the manifest. */
export function compileFormat({
  formats
}: Surface): (asked: PlanInput['query'][string], request: PlanRequest) => Format {
  const [first = 'json'] = formats
  const wanted = createMemo<Format>()
  return (asked, { headers: { accept } }) => {
    if (formats.length === 1) return first
    if (typeof asked === 'string') return asked
    if (typeof accept !== 'string') return first
    const chosen = wanted.get(accept)
    if (chosen !== undefined) return chosen
    const found = negotiateFormat(accept, formats, accepts)
    wanted.set(accept, found, 0)
    return found
  }
}
