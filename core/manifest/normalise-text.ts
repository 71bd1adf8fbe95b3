/** A normalisation step of a text that is given back. */
export const normaliseSteps = ['trim', 'lowercase', 'nfc', 'collapse-whitespace'] as const
export type NormaliseStep = (typeof normaliseSteps)[number]

const steps: Readonly<Record<NormaliseStep, (text: string) => string>> = {
  trim: text => text.trim(),
  lowercase: text => text.toLowerCase(),
  nfc: text => text.normalize('NFC'),
  'collapse-whitespace': text => text.replace(/\s+/g, ' ')
}

/** A text after the steps, in their order (NFC: Unicode Standard Annex 15). */
export const normaliseText = (text: string, wanted: readonly NormaliseStep[]): string =>
  wanted.reduce((value, step) => steps[step](value), text)
