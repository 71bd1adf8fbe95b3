import { parse, stringify } from 'yaml'

const head = `# Texts in another language: each text as it was written, and the same in this one. \`pantry validate\` names what is
# missing, what is of no text, and a placeholder such as {name} that was lost.
`

/** Returns the text of a file of translations with further texts, which are still to be translated, at its end. */
export function withTexts(written: string | undefined, texts: readonly string[]): string {
  const before = written ?? head
  const added = texts.map(text => stringify({ [text]: '' }, { lineWidth: 0, singleQuote: true }))
  return [before, ...(before.endsWith('\n') ? [] : ['\n']), ...added].join('')
}

/** Whether a file has a text already, maybe without its translation. */
export const namesText = (written: string, text: string): boolean =>
  Object.hasOwn((parse(written) as object | null) ?? {}, text)
