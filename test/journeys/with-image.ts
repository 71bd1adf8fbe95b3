import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, matchesGlob } from 'node:path'
import { holds, type Started, type Travel } from './journey.ts'

/** An image: the folder of its files, its variables, and the commands that serve and that look at its health. */
type Image = Readonly<{ folder: string; env: NodeJS.ProcessEnv; serve: string; health: string }>

/** Instructions of a Dockerfile that say nothing about files or processes. */
const silent = new Set(['LABEL', 'USER', 'VOLUME', 'EXPOSE', 'ARG'])

const quoted = (words: readonly string[]): string => words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')

/**
 * Does what a Dockerfile says, without Docker: each stage is a folder, `COPY` leaves out what `.dockerignore` does, and
 * `RUN` runs there. The system of the image, its user and its limits are those of this machine.
 */
export async function buildImage(travel: Travel, context: string): Promise<Image> {
  const outside = linesOf(join(context, '.dockerignore')).filter(line => !line.startsWith('#'))
  const stages = new Map<string, string>()
  let folder = ''
  let [env, serve, health]: [NodeJS.ProcessEnv, string, string] = [{}, '', '']
  const isOutside = (name: string): boolean => outside.some(pattern => matchesGlob(name, pattern))
  for (const line of linesOf(join(context, 'Dockerfile')).filter(one => !one.startsWith('#'))) {
    const [, instruction = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    const words = rest.split(' ')
    if (instruction === 'FROM') {
      folder = join(travel.folder, `stage-${stages.size}`)
      stages.set(words[2] ?? '', folder)
      mkdirSync(folder)
    } else if (instruction === 'COPY') {
      const [, from] = /^--from=(\w+)$/.exec(words[0] ?? '') ?? []
      if (from !== undefined) cpSync(stages.get(from) ?? '', folder, { recursive: true, verbatimSymlinks: true })
      else
        for (const name of readdirSync(context).filter(one => !isOutside(one)))
          if (words.slice(0, -1).some(pattern => pattern === '.' || matchesGlob(name, pattern)))
            cpSync(join(context, name), join(folder, basename(name)), { recursive: true })
    } else if (instruction === 'RUN') {
      const command = rest.replace(/^--mount=\S+ /, '')
      if (!command.startsWith('mkdir /data')) await travel.shell(command, { cwd: folder })
    } else if (instruction === 'ENV') env = Object.fromEntries(words.map(pair => pair.split('=') as [string, string]))
    else if (instruction === 'CMD') serve = quoted(JSON.parse(rest) as string[])
    else if (instruction === 'HEALTHCHECK') health = quoted(JSON.parse(/CMD (.*)$/.exec(rest)?.[1] ?? '') as string[])
    else holds(silent.has(instruction) || instruction === 'WORKDIR', `the instruction ${instruction} is known`)
  }
  return { folder, env: { ...env, HOST: '127.0.0.1' }, serve, health }
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : []

/** Starts what an image serves, with a data folder of its own, and waits until its health command ends with 0. */
export async function startImage(travel: Travel, { folder, env, serve, health }: Image): Promise<Started> {
  const data = join(travel.folder, 'image-data')
  const started = await travel.start(`exec ${serve}`, { cwd: folder, env: { ...env, PANTRY_DATA_DIR: data } })
  const { port } = new URL(started.url)
  await travel.shell(`for i in $(seq 60); do ${health} && exit 0; sleep 1; done; exit 1`, {
    cwd: folder,
    env: { ...env, PORT: port }
  })
  return started
}
