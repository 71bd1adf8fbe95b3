import { corpusCodes } from './texts/corpora.ts'
import type { CatalogEntry } from './texts/entry.ts'
import { handlerCodes, runCodes } from './texts/handlers.ts'
import { shapeCodes, textCodes } from './texts/m1-m2-text-and-shape.ts'
import { oneFileCodes } from './texts/m3-one-file.ts'
import { allFilesCodes } from './texts/m4-all-files.ts'
import { tableCodes } from './texts/tables.ts'

const texts = {
  ...textCodes,
  ...shapeCodes,
  ...oneFileCodes,
  ...allFilesCodes,
  ...corpusCodes,
  ...tableCodes,
  ...handlerCodes,
  ...runCodes
}

export type DiagnosticCode = keyof typeof texts

/** All diagnostic codes. Codes are permanent. */
export const catalog: Readonly<Record<DiagnosticCode, CatalogEntry>> = texts

export const isDiagnosticCode = (text: string): text is DiagnosticCode => Object.hasOwn(catalog, text)
