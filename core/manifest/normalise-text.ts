/** Names of the normalisation steps for an echoed text. */
export const normaliseSteps = ['trim', 'lowercase', 'nfc', 'collapse-whitespace'] as const
export type NormaliseStep = (typeof normaliseSteps)[number]

const steps: Readonly<Record<NormaliseStep, (text: string) => string>> = {
  trim: text => text.trim(),
  lowercase: text => text.toLowerCase(),
  nfc: text => text.normalize('NFC'),
  'collapse-whitespace': text => text.replace(/\s+/g, ' ')
}

/** Returns the text after the wanted steps, in that order (NFC: Unicode Standard Annex 15). */
export const normaliseText = (text: string, wanted: readonly NormaliseStep[]): string =>
  wanted.reduce((value, step) => steps[step](value), text)
