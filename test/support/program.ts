import { extname, join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../..')

/**
 * Arguments for Node that run a program of the project, such as `bin/commands/pantry`, in the form in which this
 * process runs: with its options, which say what `pantry/handler` and the other exported names are.
 */
export const program = (name: string): readonly string[] => [
  ...process.execArgv,
  join(folder, name + extname(import.meta.filename))
]
