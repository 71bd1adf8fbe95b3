import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

let loaded: typeof Yaml | undefined

/**
 * Returns the parser for all of YAML. It is loaded on first use: for a file that `plainYaml` cannot parse or that has a
 * mistake.
 */
export const yaml = (): typeof Yaml => (loaded ??= require('yaml') as typeof Yaml)
