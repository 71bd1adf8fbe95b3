import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { project } from '../run/files.ts'
import { eventually } from './eventually.ts'
import { scratchFolder } from './scratch.ts'

/** An answer as it came over the wire. `raw`: names and values of its headers, in turn. */
export type Wire = Readonly<{
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  raw: readonly string[]
  body: Buffer
}>

/** Asks an HTTP server behind a socket or a port, with these headers and no other but Host. */
export const askWire = (
  where: { socketPath: string } | { port: number },
  path: string,
  headers: Readonly<Record<string, string>>
): Promise<Wire> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', ...where, path, headers, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          raw: response.rawHeaders,
          body: Buffer.concat(chunks)
        })
      })
    })
      .on('error', reject)
      .end()
  })

/**
 * A cache with two doors: at `silent` it tells nobody that it forwards, at `told` it does. An answer has `X-Cache: HIT`
 * where it was stored.
 */
export type SharedCache = Readonly<{ name: string; silent: string; told: string }>

const programOf = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
    .map(folder => join(folder, name))
    .find(file => existsSync(file))

const nginxLocation = (port: number, zone: string, more = ''): string => `
    server {
      listen unix:FOLDER/${zone}.sock;
      location / {
        proxy_pass http://127.0.0.1:${port};
        proxy_cache ${zone};
        add_header X-Cache $upstream_cache_status always;
        ${more}
      }
    }`

const nginxAround = (servers: string): string => `
  ${process.getuid?.() === 0 ? 'user root;' : ''}
  daemon off;
  pid FOLDER/pid;
  error_log stderr crit;
  events {}
  http {
    access_log off;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path FOLDER/${name};`).join('\n    ')}
    ${servers}
  }`

const nginxConfig = (port: number): string =>
  nginxAround(`
    proxy_cache_path FOLDER/cache-silent keys_zone=silent:1m;
    proxy_cache_path FOLDER/cache-told keys_zone=told:1m;
    ${nginxLocation(port, 'silent')}
    ${nginxLocation(port, 'told', 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;')}`)

/** What operators copy, with this machine's addresses, and without the probe, which `pantry serve` answers. */
const deployed: Readonly<Record<string, (port: number) => string>> = {
  nginx: port =>
    nginxAround(
      readFileSync(join(project, 'bin/deploy/nginx.conf'), 'utf8')
        .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replace('listen 80;', 'listen unix:FOLDER/told.sock;')
        .replace('/var/cache/pantry', 'FOLDER/cache')
    ),
  varnish: port =>
    readFileSync(join(project, 'bin/deploy/varnish.vcl'), 'utf8')
      .replace(/^.*\.probe = .*\n/m, '')
      .replace('"pantry"', '"127.0.0.1"')
      .replace('"8080"', `"${port}"`)
}

const varnishConfig = (port: number): string => `
  vcl 4.1;
  backend default { .host = "127.0.0.1"; .port = "${port}"; }
  sub vcl_recv { set req.http.X-Door = local.socket; }
  sub vcl_hash { hash_data(req.http.X-Door); }
  sub vcl_backend_fetch {
    if (bereq.http.X-Door == "silent") { unset bereq.http.X-Forwarded-For; unset bereq.http.Via; }
    unset bereq.http.X-Door;
  }
  sub vcl_deliver { if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; } }`

const commands: Readonly<
  Record<
    string,
    Readonly<{
      program: string
      config: (port: number) => string
      args: (folder: string, config: string) => readonly string[]
    }>
  >
> = {
  nginx: { program: 'nginx', config: nginxConfig, args: (_, config) => ['-c', config] },
  varnish: {
    program: 'varnishd',
    config: varnishConfig,
    args: (folder, config) => [
      '-F',
      '-j',
      'none',
      '-n',
      join(folder, 'work'),
      '-f',
      config,
      '-s',
      'malloc,64m',
      '-a',
      `silent=${join(folder, 'silent.sock')}`,
      '-a',
      `told=${join(folder, 'told.sock')}`
    ]
  }
}

export const cacheNames = Object.keys(commands)

/** Why a cache cannot be asked here; false where it can. */
export const absent = (name: string): false | string =>
  programOf(commands[name]?.program ?? '') === undefined ? `${name} is not installed` : false

/**
 * Starts a cache before the server at a port; it ends with `t`. `asDeployed` is told that it forwards, and has the
 * settings of `bin/deploy`.
 */
export async function startCache(
  t: Test,
  name: string,
  port: number,
  { asDeployed = false } = {}
): Promise<SharedCache> {
  const { program, config: ours, args } = commands[name] ?? { program: '', config: () => '', args: () => [] }
  const config = asDeployed ? (deployed[name] ?? ours) : ours
  const folder = scratchFolder(t)
  const file = join(folder, 'config')
  writeFileSync(file, config(port).replaceAll('FOLDER', folder))
  const child = spawn(programOf(program) ?? program, args(folder, file), { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  t.teardown(async () => {
    child.kill('SIGTERM')
    for (let left = 100; left > 0 && child.exitCode === null && child.signalCode === null; left -= 1) await sleep(20)
  })
  const cache = { name, silent: join(folder, 'silent.sock'), told: join(folder, 'told.sock') }
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${complaints}`)
    await askWire({ socketPath: cache.told }, '/nothing-here', {})
  })
  return cache
}
