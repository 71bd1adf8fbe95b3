import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'

export const mebibyte = 2 ** 20

const mounted = (folder: string, size: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder]).status === 0
const unmount = (folder: string): void => {
  spawnSync('umount', ['-l', folder])
}

/** A file system of its own for a test, on a folder that is there. */
export function mount(t: Test, folder: string, size: string): void {
  if (!mounted(folder, size)) throw new Error(`Nothing can be mounted on ${folder}.`)
  t.teardown(() => {
    unmount(folder)
  })
}

/** Why a test that mounts is skipped, or false: only root can mount, and not in every container. */
export function cannotMount(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-mount-'))
  const can = mounted(folder, '64k')
  if (can) unmount(folder)
  rmdirSync(folder)
  return can ? false : 'needs root, to mount a file system of its own'
}

/** Writes a file that leaves so many bytes of its file system. Written, since a hole takes none. */
export function fill(filler: string, left: number): void {
  const file = openSync(filler, 'w')
  const { bavail, bsize } = statfsSync(dirname(filler))
  const block = Buffer.alloc(mebibyte)
  for (let bytes = bavail * bsize - left; bytes > 0; bytes -= mebibyte)
    writeSync(file, block, 0, Math.min(bytes, mebibyte))
  closeSync(file)
}
