import { extname, join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../..')
const loaders = process.execArgv.filter(argument => argument.includes('typescript'))

/** Arguments for Node that run a program of the project, such as `bin/pantry`, in the form in which this process runs. */
export const program = (name: string): readonly string[] => [...loaders, join(folder, name + extname(import.meta.filename))]
