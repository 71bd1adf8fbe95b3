import { createRequire } from 'node:module'
import type * as Ajv from 'ajv/dist/2020.js'
import type * as Formats from 'ajv-formats'
import { formatNames } from './acceptor-keywords.ts'

const require = createRequire(import.meta.url)

/**
 * Creates the validator with our settings. Ajv is loaded at the first call, because a service without mistakes starts
 * without it.
 */
export function createValidator(): Ajv.Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof Ajv
  const { default: addFormats } = require('ajv-formats') as typeof Formats
  // One keyword beyond JSON Schema: `x-corpus` names the corpus whose keys are the values of a text field.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    verbose: true,
    keywords: ['x-corpus']
  })
  addFormats.default(ajv, [...formatNames])
  return ajv
}
