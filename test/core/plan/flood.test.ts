import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'

t.test('parameters that nobody declares do not fill the memory of a process', async t => {
  const loaders = process.execArgv.filter(argument => argument.includes('typescript'))
  const child = spawn(process.execPath, [...loaders, '--max-old-space-size=64', fileURLToPath(new URL('flood.ts', import.meta.url)), '200'])
  let text = ''
  const hear = (chunk: Buffer): void => { text += chunk.toString() }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  await once(child, 'close')
  t.equal(text, 'answered')
})
