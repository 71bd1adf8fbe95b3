import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClaimAnswer, Values } from './claims.ts'

/** How long a command may take, in milliseconds. */
const timeout = 120_000

/** Exit status of a shell that does not find a program (POSIX.1-2024, 2.8.2). */
const notFound = 127

/**
 * Runs a command of a text as it is shown, in a folder of its own. What it leaves in files is a part of its answer, and
 * its status that of the last answer to curl. Resolves to undefined where a program is missing; rejects if the command
 * fails or takes too long.
 */
export async function runCommand(command: string, values: Values): Promise<ClaimAnswer | undefined> {
  const cwd = mkdtempSync(join(tmpdir(), 'pantry-command-'))
  const script = `curl() { command curl -w '%{stderr}\\n%{http_code}\\n' "$@"; }\n${command}`
  try {
    const ran = await new Promise<Readonly<{ stdout: string; stderr: string }> | undefined>((resolve, reject) => {
      execFile('sh', ['-c', script], { cwd, timeout, env: { ...process.env, ...values } }, (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr })
        else if (error.code === notFound || error.code === 'ENOENT') resolve(undefined)
        else reject(new Error(`${command}\n${stderr}`, { cause: error }))
      })
    })
    if (ran === undefined) return undefined
    const files = readdirSync(cwd).map(name => readFileSync(join(cwd, name), 'utf8'))
    return { status: Number(ran.stderr.trim().split('\n').at(-1)), text: [ran.stdout, ...files].join('') }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
