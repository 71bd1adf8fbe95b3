import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { program } from '../../support/program.ts'

t.test('undeclared parameters do not fill the memory of a process', async t => {
  const child = spawn(process.execPath, ['--max-old-space-size=64', ...program('test/core/plan/flood'), '200'])
  let text = ''
  const hear = (chunk: Buffer): void => {
    text += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  await once(child, 'close')
  t.equal(text, 'answered')
})
