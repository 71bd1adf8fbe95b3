import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

let loaded: typeof Yaml | undefined

/**
 * The parser of all of YAML, loaded for the first file that `plainYaml` does not read or that something is wrong with.
 */
export const yaml = (): typeof Yaml => (loaded ??= require('yaml') as typeof Yaml)
