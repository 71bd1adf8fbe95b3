/** `npm run waits`: how long requests wait for what takes long. See --help. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
import { table } from '../../bin/table.ts'
import { writeManySurfaces } from '../bench/many-surfaces.ts'
import { program } from '../support/program.ts'

const help = `npm run waits -- [--rounds 5] [--topics 333] [--json]

Serves the library with three more surfaces for each topic, asks for a small document without a pause, and prints the longest that an answer took
while the first OpenAPI document was made for thirty clients, and while a saved file was taken in. Nothing is judged: times depend on whoever else uses the machine.
`
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    topics: { type: 'string', default: '333' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (options.help) {
  process.stdout.write(help)
  process.exit()
}

const run = promisify(execFile)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const ask = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString())
        else reject(new Error(`${url} answers ${response.statusCode ?? 0}.`))
      })
    }).on('error', reject)
  })

/** Clients that ask for the first OpenAPI document at the same time. */
const clients = 30
const read = `const lengths = await Promise.all(Array.from({ length: ${clients} }, async () => {
  const answer = await fetch(process.argv[1])
  if (answer.status !== 200) throw new Error('It answers ' + answer.status)
  return (await answer.arrayBuffer()).byteLength
}))
if (new Set(lengths).size !== 1) throw new Error(lengths.join())
console.log(lengths[0])`

/** How many bytes are at a URL, for each of the clients. */
const download = async (url: string): Promise<number> =>
  Number((await run(process.execPath, ['--input-type=module', '--eval', read, url])).stdout)

const deadlineMs = 120_000

/** Asks again and again until `isOver`; the longest time that an answer took, in milliseconds. */
async function longestUntil(url: string, isOver: (answer: string) => boolean): Promise<number> {
  const began = performance.now()
  for (let longest = 0; ;) {
    if (performance.now() - began > deadlineMs) throw new Error(`It is not over after ${deadlineMs} ms.`)
    const from = performance.now()
    const answer = await ask(url)
    longest = Math.max(longest, performance.now() - from)
    if (isOver(answer)) return longest
  }
}

type Waits = Readonly<{ bytes: number; idle: number; openapi: number; save: number }>

async function measureAt(url: string, folder: string, round: number, reload: () => void): Promise<Waits> {
  const small = `${url}/api/v1/many/about/topic-0`
  let asked = 0
  await longestUntil(small, () => (asked += 1) === 500)
  const idle = await longestUntil(small, () => (asked += 1) === 1500)

  // By another process: this one would be late itself while it reads so many bytes.
  let isMade = false
  const made = download(`${url}/api/openapi.json`).finally(() => {
    isMade = true
  })
  const [openapi, bytes] = await Promise.all([longestUntil(small, () => isMade), made])

  const text = `Saved in round ${round}.`
  writeFileSync(
    join(folder, 'corpora/documents/about-topic-0.yaml'),
    `'@kind': about-topic-0\ntitle: About topic-0\ntext: ${text}\n`
  )
  reload()
  return { bytes, idle, openapi, save: await longestUntil(small, answer => answer.includes(text)) }
}

async function measure(folder: string, round: number): Promise<Waits> {
  const child = spawn(
    process.execPath,
    [...program('bin/commands/pantry'), 'serve', '--root', 'test/fixture/library', '--root', folder],
    {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: '0',
        LOG_LEVEL: 'error',
        PANTRY_DATA_DIR: join(folder, '.pantry')
      },
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  const ended = once(child, 'exit') as Promise<[number | null]>
  try {
    const line = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      ended.then(([code]) => Promise.reject(new Error(`pantry serve ended with ${code}.`)))
    ])
    return await measureAt(String(line).replace('listening on ', ''), folder, round, () => {
      child.kill('SIGHUP')
    })
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const folder = mkdtempSync(join(tmpdir(), 'pantry-waits-'))
try {
  writeManySurfaces(folder, Number(options.topics))
  const found: Waits[] = []
  for (let round = 1; round <= Number(options.rounds); round += 1) found.push(await measure(folder, round))
  process.stdout.write(
    options.json
      ? `${JSON.stringify(found)}\n`
      : `${table(
          ['bytes of OpenAPI', 'idle ms', 'OpenAPI ms', 'save ms'],
          found.map(({ bytes, idle, openapi, save }) => [
            String(bytes),
            ...[idle, openapi, save].map(ms => ms.toFixed(0))
          ])
        )}\n`
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
