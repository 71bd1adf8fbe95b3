import type { DiagnosticCode } from '../diagnostics/catalog.ts'

/** Deepest nesting of values. */
export const deepest = 64

/** A place as offsets into the text, and what is wrong there. */
export type TextProblem = Readonly<{ code: DiagnosticCode; from: number; to: number; message: string; hint?: string }>

const sentences: Readonly<Partial<Record<DiagnosticCode, readonly [message: string, hint: string]>>> = {
  M102: ['This key was already given above.', 'Keep one of the two.'],
  M103: ['A tab cannot be used for indentation.', 'Indent with spaces.'],
  M104: ['Anchors and aliases are not allowed.', 'Write the value in full.'],
  M105: ['Tags are not allowed.', 'Write a plain value; quote it if it is text.'],
  M106: ['A second document starts here.', 'Put it into a file of its own.'],
  M110: [`Values are nested deeper than ${deepest} levels.`, 'Use a flatter structure.']
}

/** A problem in the words of its code, or in words of its own. */
export const textProblem = (
  code: DiagnosticCode,
  from: number,
  to: number,
  message?: string,
  hint?: string
): TextProblem => {
  const known = sentences[code]
  const advice = hint ?? known?.[1]
  return { code, from, to, message: message ?? known?.[0] ?? '', ...(advice === undefined ? {} : { hint: advice }) }
}
