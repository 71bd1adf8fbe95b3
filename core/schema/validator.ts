import { createRequire } from 'node:module'
import type * as Ajv from 'ajv/dist/2020.js'
import type * as Formats from 'ajv-formats'
import { formatNames } from './acceptor-keywords.ts'

const require = createRequire(import.meta.url)

/** The validator with our settings. Loaded when one is made: a service without a mistake needs none to start. */
export function createValidator(): Ajv.Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof Ajv
  const { default: addFormats } = require('ajv-formats') as typeof Formats
  // One keyword beside JSON Schema: `x-corpus` names the corpus whose keys a text field holds.
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
