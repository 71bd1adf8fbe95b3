import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** A folder of its own that every user can enter, as a checkout ordinarily is; removed when `t` ends. */
export function scratchFolder(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pantry-scratch-')))
  chmodSync(folder, 0o755)
  t.teardown(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
