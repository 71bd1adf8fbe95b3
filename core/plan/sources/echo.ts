import type { JsonObject } from '../../canonical/json.ts'
import { invalid } from '../../handler/errors.ts'
import { echoed } from '../../manifest/echo.ts'
import type { Echoes } from '../../manifest/surface.ts'
import type { Result, Source } from '../result.ts'

/** A fixed answer that also gives parameters back. It is live, because a prepared answer would keep what a caller wrote. */
export const echoing = (result: Result, document: JsonObject, echo: Echoes): Source => ({
  when: 'live',
  answer: ({ params, query }) => {
    const given = echoed(echo, { ...query, ...params })
    for (const [name, value] of Object.entries(given)) if (value === '') throw invalid(name, `\`${name}\` is empty after normalisation.`)
    return { ...result, data: { ...document, ...given } }
  }
})
