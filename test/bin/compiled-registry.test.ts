import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readCompiled, recordCompiled } from '../../bin/compiled-registry.ts'

/** A folder with bundles and what was compiled with them, and one with the framework's. */
function built(
  t: Test
): Readonly<{ folder: string; framework: string; file: string; read: () => ReturnType<typeof readCompiled> }> {
  const home = t.testdir({ bin: { digest: 'f\n' }, bundle: { digest: 'r\n' } })
  const [framework, folder] = [join(home, 'bin'), join(home, 'bundle')]
  const { compiled, write } = recordCompiled(folder, framework)
  compiled.keep?.('corpora/trees', 'abc', { trees: new Map([['oak', { leaves: ['lobed'] }]]) })
  write()
  return { folder, framework, file: join(folder, 'registry'), read: () => readCompiled(folder, framework) }
}

t.test('what a build keeps is taken under its name, for what it was made of', t => {
  const { read } = built(t)
  const { code, compiled, unusable } = read()
  t.equal(code, 'f r')
  t.equal(unusable, undefined)
  t.strictSame(compiled?.take('corpora/trees', 'abc'), { trees: new Map([['oak', { leaves: ['lobed'] }]]) })
  t.equal(compiled?.take('corpora/trees', 'abd'), undefined)
  t.equal(compiled?.take('corpora/birds', 'abc'), undefined)
  t.equal(compiled?.keep, undefined, 'nothing that serves writes')
  t.end()
})

t.test('a file that is damaged, or of another version, is never taken, and is told', t => {
  const { folder, framework, file, read } = built(t)
  const whole = readFileSync(file)
  const end = whole.indexOf('\n')
  const head = JSON.parse(whole.toString('utf8', 0, end)) as Record<string, unknown>
  const withHead = (change: Record<string, unknown>): Buffer =>
    Buffer.concat([Buffer.from(JSON.stringify({ ...head, ...change })), whole.subarray(end)])
  const flipped = Buffer.from(whole)
  flipped[whole.length - 3]! ^= 1
  const cases: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
    'cut at the end': [whole.subarray(0, -1), /not as it was written/],
    'cut in its first line': [whole.subarray(0, end - 5), /not as it was written/],
    empty: [Buffer.alloc(0), /not as it was written/],
    longer: [Buffer.concat([whole, Buffer.from('x')]), /not as it was written/],
    'one bit': [flipped, /not as it was written/],
    'no first line': [Buffer.from(`{"pantry":\n${'x'.repeat(100)}`), /another version of Pantry/],
    Pantry: [withHead({ pantry: '0.0.1' }), /another version of Pantry/],
    Node: [withHead({ node: 'v1.2.3' }), /Node v1\.2\.3 made it/],
    code: [withHead({ code: 'f s' }), /other code/]
  }
  for (const [name, [bytes, reason]] of Object.entries(cases)) {
    writeFileSync(file, bytes)
    const { compiled, unusable } = read()
    t.equal(compiled, undefined, name)
    t.match(unusable, reason, name)
  }
  for (let at = 0; at <= end; at++) {
    const damaged = Buffer.from(whole)
    damaged[at]! ^= 1
    writeFileSync(file, damaged)
    if (read().compiled !== undefined) t.fail(`byte ${at}`)
  }
  writeFileSync(file, whole)
  t.ok(read().compiled)
  writeFileSync(join(framework, 'digest'), 'g\n')
  t.match(read().unusable, /other code/, 'of the framework')
  writeFileSync(join(framework, 'digest'), 'f\n')
  writeFileSync(join(folder, 'digest'), 's\n')
  t.match(read().unusable, /other code/, 'of the root')
  t.end()
})

t.test('the operator may name a folder for it; what a package ships stays beside its code', t => {
  const { folder, framework } = built(t)
  const named = join(t.testdirName, 'named', 'below')
  t.ok(readCompiled(folder, framework, named).compiled, 'beside the code')
  const { compiled, write } = recordCompiled(folder, framework, named)
  compiled.keep?.('corpora/trees', 'abc', 'in the named folder')
  write()
  t.equal(readdirSync(named).length, 1)
  t.equal(readCompiled(folder, framework, named).compiled?.take('corpora/trees', 'abc'), 'in the named folder')
  t.not(readCompiled(folder, framework).compiled?.take('corpora/trees', 'abc'), 'in the named folder')
  const [file = ''] = readdirSync(named)
  truncateSync(join(named, file), 100)
  t.strictSame(
    readCompiled(folder, framework, named).compiled?.take('corpora/trees', 'abc'),
    readCompiled(folder, framework).compiled?.take('corpora/trees', 'abc'),
    'what is damaged there hides nothing that is beside the code'
  )
  rmSync(join(folder, 'registry'))
  t.match(readCompiled(folder, framework, named).unusable, join(named, file), 'and is told')
  t.end()
})

t.test('where nothing is bundled nothing is compiled', t => {
  const folder = t.testdir({})
  recordCompiled(folder, folder).write()
  t.strictSame(readCompiled(folder, folder), {})
  t.end()
})
