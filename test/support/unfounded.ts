import { isObject } from '../../core/canonical/json.ts'
import { traceValues, type Trace } from './trace-values.ts'

const numbersOf = (text: string): string[] =>
  (text.replaceAll(/(\d),(?=\d{3})/g, '$1').match(/\d+/g) ?? []).map(one => String(Number(one)))

/** Every number of data, in its texts too, and how many items its lists and members its objects have. */
const numbersIn = (data: unknown): string[] =>
  typeof data === 'string' || typeof data === 'number'
    ? numbersOf(String(data))
    : Array.isArray(data)
      ? [String(data.length), ...data.flatMap(numbersIn)]
      : isObject(data)
        ? [
            String(Object.keys(data).length),
            ...Object.entries(data).flatMap(([name, one]) => [...numbersIn(name), ...numbersIn(one)])
          ]
        : []

const textsIn = (data: unknown): string[] =>
  typeof data === 'string'
    ? [data]
    : Array.isArray(data)
      ? data.flatMap(textsIn)
      : isObject(data)
        ? Object.values(data).flatMap(textsIn)
        : []

/** Somebody wrote it as a name or a sentence; the words of the code are those of views as well. */
const isWritten = (text: string): boolean => /[A-Z ]/.test(text)

/** A number as large as only a fact has; those of RFCs are names. */
const large = /(?<!RFC )\b\d{1,3}(?:,?\d{3})+\b/

/**
 * What a page says that does not come from its data, a sentence each, and how much does. In cells, values and the
 * heading no text may be in the data and come from elsewhere, and no number may be the same for other data, or in no
 * place of it. In other texts this holds for large numbers. Plots have a table beside them.
 */
export function unfounded(
  data: unknown,
  write: (data: unknown) => string
): Readonly<{ problems: readonly string[]; trace: Trace }> {
  const trace = traceValues(data, write)
  const [numbers, written] = [new Set(numbersIn(data)), new Set(textsIn(data).filter(isWritten))]
  const problems = trace.texts.flatMap(({ isValue, within, text, from, exact }) => {
    if (exact || within.includes('svg')) return []
    const said = `\`${text.slice(0, 100)}\` in <${within.at(-1) ?? ''}>`
    const unknown = isValue ? numbersOf(text).filter(one => !numbers.has(one)) : []
    if (unknown.length > 0) return [`${said}: ${unknown.join()} is not in the data`]
    if (from.size > 0) return []
    // A message that names a value between backticks: the page writes that value as code.
    if (within.at(-1) === 'code' && [...written].some(one => one.includes(`\`${text}\``))) return []
    if (isValue && written.has(text)) return [`${said} is in the data, and comes from elsewhere`]
    // A list without items cannot become shorter.
    return (isValue && /\d/.test(text) && text !== '0') || large.test(text) ? [`${said} is the same for any data`] : []
  })
  return { problems: [...trace.interpreted.map(one => `${one} is not text`), ...problems], trace }
}
