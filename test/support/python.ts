import { execFile } from 'node:child_process'
import type { Outcome } from './command-line.ts'

/**
 * Runs a script of Python 3; `undefined` where there is none. In another process, because the service is in this one.
 */
export const python = async (args: readonly string[]): Promise<Outcome | undefined> =>
  await new Promise(resolve => {
    execFile('python3', [...args], (error, stdout, stderr) => {
      resolve(error?.code === 'ENOENT' ? undefined : { code: Number(error?.code ?? 0), stdout, stderr })
    })
  })
