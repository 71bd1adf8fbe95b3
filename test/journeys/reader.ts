import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { holds, journey, type Started } from './journey.ts'
import { eventually, freshClone } from './with-checkout.ts'
import { commandsOf, documents, showsIn, type Command } from './with-documents.ts'

/** Commands that are not run here, each with its reason. */
const elsewhere: readonly Readonly<{ is: RegExp; why: string }>[] = [
  { is: /^npm ci && .*npm (?:test|start)$/, why: 'the steps first-test and first-start of .ci/run do' },
  {
    is: /^docker |^systemctl |^useradd |^journalctl |^cp bin\/deploy|> \/etc\//,
    why: 'an operator does, as root, on a machine that is kept'
  },
  { is: /^\$EDITOR /, why: 'an editor opens' },
  {
    is: /lorcana-data|^npx pantry import --all/,
    why: 'it needs files that one must have: the journey of the curator has its own'
  },
  { is: /\.\.\/events/, why: 'the second folder is an example' },
  { is: /^OTEL_/, why: 'it needs a package that one installs for it: test/bin/tracing.test.ts has it' },
  { is: /^pantry proofs epoch/, why: 'only a chain that has halted takes it' },
  { is: /^npx pantry webhook /, why: 'the types are an example: test/bin/webhooks.test.ts has endpoints' },
  { is: /^npx pantry job remind/, why: 'the job is an example: test/bin/jobs.test.ts runs one' },
  { is: /^npm create pantry/, why: 'it needs both packages on a registry: test/bin/create/packed.test.ts has it' },
  { is: /pantry load island\.sqlite/, why: 'the file is an example: test/bin/load/read-sqlite.test.ts loads one' },
  { is: /^pantry restore/, why: 'the journey of the operator does, into an empty database' }
]

/** What a test of its own follows: test/bin/keys.test.ts and test/upgrading.test.ts. */
const followed = ['docs/keys.md', 'docs/upgrading.md']

const production = 'docs/operating.md'

/** Commands that go on until they are ended. */
const serves = /^(?:npm start|npm run dev|.*\bpantry(?:\.js)? (?:dev|serve)\b.*)$/

/** What is said there is for a folder of one's own, where the tarball lies. */
const inFolderOfOnesOwn = ['bin/door/README.md', 'docs/tutorial.md']

/** What a document tells to do before a command, in words: a service for those who ask, and of which root. */
const asks = /^curl /
const root = (text: string): string =>
  text.includes('/library/') ? 'npx pantry serve --root test/fixture/library' : 'npx pantry serve'

/**
 * Copies each command of each document into a shell, in its order, as it stands, and compares what it says with what is
 * shown below it; only ports, `/tmp` and what stands for a value are others.
 */
export default journey('reader', 'tries each command of the documents as it stands', async travel => {
  const { folder, step, shell } = travel
  const clone = await step('git clone, npm ci, npm run build', async () => {
    const clone = freshClone(travel)
    await shell('npm ci && npm run build', { cwd: clone })
    return clone
  })
  // `pantry` alone is the program as it is installed.
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'pantry'), `#!/bin/sh\nexec node ${join(clone, 'bin', 'launch.mjs')} "$@"\n`, { mode: 0o755 })
  const values: Record<string, string> = {}
  let service: Started | undefined
  let serving = ''

  const filled = (text: string): string =>
    text
      .replaceAll('<version>', '*')
      .replaceAll(/(?:127\.0\.0\.1|localhost):8080/g, service === undefined ? '$&' : new URL(service.url).host)
      .replaceAll(/ \/tmp(?=$|[ /])/g, ` ${folder}`)
      .replace('draws/ID/', `draws/${values['ID'] ?? 'ID'}/`)
  const end = async (): Promise<void> => {
    await service?.stop()
    service = undefined
  }
  const serveBy = async (text: string, cwd: string): Promise<void> => {
    await end()
    const last = text.split(' && ').at(-1) ?? ''
    service = await travel.start([...text.split(' && ').slice(0, -1), `exec env ${last}`].join(' && '), {
      cwd,
      env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
    })
    serving = text
    const { url } = service
    await eventually('it is ready', async () => (await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/readyz`)).ok)
  }
  const run = async ({ text, answer }: Command, cwd: string): Promise<void> => {
    if (serves.test(text)) {
      await serveBy(text, cwd)
      return
    }
    if (
      asks.test(text) &&
      (service === undefined || text.includes('/library/') !== serving.includes('fixture/library'))
    )
      await serveBy(root(text), cwd)
    const [, kept] = /^([A-Z]+)=\$\(/.exec(text) ?? []
    const command = `${filled(text)}${kept === undefined ? '' : ` && printf %s "$${kept}"`}`
    const said = await shell(command, { cwd, env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ...values } })
    if (kept !== undefined) values[kept] = said.split('\n').at(-1) ?? ''
    if (answer !== undefined) {
      holds(showsIn(filled(answer), said), `it says what is shown, not: ${said.slice(-2000)}`)
      return
    }
    if (!asks.test(text)) return
    holds(!/^HTTP\/1\.1 [45]|"error":\{/m.test(said), `it is answered well, not: ${said.slice(0, 400)}`)
    for (const [name, member] of Object.entries({
      ID: 'id',
      SERVER_SEED: 'server_seed',
      CLIENT_SEED: 'client_seed',
      NONCE: 'nonce'
    })) {
      const value = new RegExp(`"${member}":"?([\\w-]+)`).exec(said)?.[1]
      if (value !== undefined) values[name] = value
    }
  }

  const tarballs = join(folder, 'tarballs')
  /** Makes a folder of one's own with the tarball in it, which is packed once. */
  const folderOfOnesOwn = async (name: string): Promise<string> => {
    if (!existsSync(tarballs)) await shell(`mkdir ${tarballs} && npm run --silent pack -- ${tarballs}`, { cwd: clone })
    cpSync(tarballs, join(folder, name), { recursive: true })
    return join(folder, name)
  }

  // What is said of production takes away what the others need.
  for (const document of [...documents].sort((a, b) => Number(a === production) - Number(b === production))) {
    if (followed.includes(document)) continue
    await end()
    const begin = inFolderOfOnesOwn.includes(document) ? await folderOfOnesOwn(basename(document, '.md')) : clone
    let cwd = begin
    for (const command of commandsOf(document)) {
      if (command.begins) cwd = begin
      if (elsewhere.some(({ is }) => is.test(command.text))) continue
      await step(`${document}:${command.line}  ${command.text.split('\n', 1)[0]}`, () => run(command, cwd))
      const [, into] = /\bcd (\S+)/.exec(command.text) ?? []
      if (into !== undefined) cwd = resolve(cwd, into)
    }
  }
})
