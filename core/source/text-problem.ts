import type { DiagnosticCode } from '../diagnostics/catalog.ts'

/** Maximum nesting depth of values. */
export const deepest = 64

/** A problem in a text, with its start and end offsets. */
export type TextProblem = Readonly<{ code: DiagnosticCode; from: number; to: number; message: string; hint?: string }>

const sentences: Readonly<Partial<Record<DiagnosticCode, readonly [message: string, hint: string]>>> = {
  M102: ['This key was already given above.', 'Keep one of the two.'],
  M103: ['A tab cannot be used for indentation.', 'Indent with spaces.'],
  M104: ['Anchors and aliases are not allowed.', 'Write the value in full.'],
  M105: ['Tags are not allowed.', 'Write a plain value; quote it if it is text.'],
  M106: ['A second document starts here.', 'Put it into a file of its own.'],
  M110: [`Values are nested deeper than ${deepest} levels.`, 'Use a flatter structure.']
}

/** Returns a problem with the message and hint of its code, unless others are given. */
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
