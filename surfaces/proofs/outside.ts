import { lookup } from 'node:dns/promises'
import { writeFile } from 'node:fs/promises'
import { parseStrictJson, type JsonValue, type Reach } from 'pantry/data'
import { fetchPublic } from '../sources/read-public.ts'
import { readHeadFile, type Batch } from './batches.ts'

const bounds = { timeoutMs: 20_000, maxBytes: 8_388_608, accept: 'application/json' } as const

/**
 * Returns a function that reads JSON from a service that the user names. Private addresses are allowed, because the
 * service may run on the same machine.
 */
export function jsonReader(base: string): (address: string) => Promise<JsonValue> {
  const reach: Reach = {
    protocol: base.startsWith('https:') ? 'https:' : 'http:',
    allows: () => true,
    resolve: async name => await lookup(name, { all: true, verbatim: true })
  }
  return async address => {
    const reading = await fetchPublic(address, bounds, reach)
    const json = reading.state === 'read' ? parseStrictJson(Buffer.from(reading.text)) : undefined
    if (json?.ok === true) return json.value
    throw Object.assign(
      new Error(
        `${address} could not be read: ${reading.state === 'status' ? `it answered ${reading.status}` : (json?.message ?? reading.state)}.`
      ),
      { fix: 'Is the service running, and is this its address?' }
    )
  }
}

/**
 * Reads the head that was seen earlier: `undefined` if no file is given or it does not exist yet. Throws if the file
 * has no head.
 */
export async function readRemembered(file: string | undefined): Promise<Batch | undefined> {
  const head = file === undefined ? undefined : await readHeadFile(file)
  if (head === null)
    throw Object.assign(new Error(`\`${file ?? ''}\` holds no signed head.`), {
      fix: 'Give a file that `pantry verify --remember` wrote, or a new name.'
    })
  return head
}

export async function writeRemembered(file: string | undefined, tip: Batch | undefined): Promise<void> {
  if (file !== undefined && tip !== undefined) await writeFile(file, `${JSON.stringify(tip, undefined, 2)}\n`)
}
