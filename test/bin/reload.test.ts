// test: slow.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createReload } from '../../bin/reload.ts'
import { run } from '../../bin/commands/run.ts'
import { watchFolders } from '../../bin/watch.ts'
import { capture, libraryIn } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'

type Serving = Readonly<{
  root: string
  stderr: () => string
  summary: () => Promise<string>
  hangUp: () => void
  stop: () => Promise<number>
}>

async function serving(t: Test, ...args: string[]): Promise<Serving> {
  const root = libraryIn(t.testdir())
  const { io, stdout, stderr } = capture({ LOG_LEVEL: 'silent' })
  const ended = run(['serve', ...args, '--root', root, '--port', '0'], io)
  await once(io.stdout, 'data')
  const url = /^listening on (http:\/\/\S+)\n$/.exec(stdout())?.[1] ?? ''
  return {
    root,
    stderr,
    summary: async () => {
      const { resources } = (await (await fetch(`${url}/api/v1/manifest`)).json()) as {
        resources: Record<string, { id: string; description: string }[]>
      }
      return (
        Object.values(resources)
          .flat()
          .find(({ id }) => id === 'books')?.description ?? ''
      )
    },
    hangUp: () => {
      io.signals.emit('SIGHUP')
    },
    stop: async () => {
      io.signals.emit('SIGTERM')
      return await ended
    }
  }
}

const withSummary = (file: string, summary: string): string =>
  readFileSync(file, 'utf8').replace(/^summary: .*$/m, `summary: ${summary}`)

/** How programs save a file: over the old one, as sed and git do; through a backup, as vim does; in place. */
const saves: Readonly<Record<string, (file: string, summary: string) => void>> = {
  'a rename over the file'(file, summary) {
    writeFileSync(`${file}.part`, withSummary(file, summary))
    renameSync(`${file}.part`, file)
  },
  'a rename through a backup'(file, summary) {
    const text = withSummary(file, summary)
    renameSync(file, `${file}~`)
    writeFileSync(file, text)
    rmSync(`${file}~`)
  },
  'a file that is removed and written again'(file, summary) {
    const text = withSummary(file, summary)
    rmSync(file)
    writeFileSync(file, text)
  },
  'a write in place'(file, summary) {
    writeFileSync(file, withSummary(file, summary))
  },
  'sed -i'(file, summary) {
    execFileSync('sed', ['-i', `s/^summary: .*$/summary: ${summary}/`, file])
  }
}

t.test('every save is noticed, however a program saves, time after time', async t => {
  const file = join(t.testdir({ manifests: { 'books.yaml': 'summary: None.\n' } }), 'manifests/books.yaml')
  let seen = ''
  const watcher = watchFolders([dirname(dirname(file))], () => {
    // Between two saves a late event may come while the file is away.
    if (existsSync(file)) seen = readFileSync(file, 'utf8')
  })
  t.teardown(() => {
    watcher.close()
  })
  for (const [name, save] of Object.entries(saves)) {
    for (let time = 1; time <= 5; time += 1) {
      const wanted = `${name.replaceAll(/\W/g, ' ')} ${time}`
      save(file, wanted)
      await eventually(() => {
        assert.equal(seen, `summary: ${wanted}\n`)
      })
    }
    t.pass(name)
  }
})

t.test('folders that come, go and come back are watched, and so is what a link leads to', async t => {
  const root = t.testdir({ elsewhere: { 'books.yaml': 'None.' } })
  let saw = 0
  const named: string[] = []
  const watcher = watchFolders([root], (_, files) => {
    saw += 1
    named.push(...files)
  })
  t.teardown(() => {
    watcher.close()
  })
  const noticed = async (what: string, change: () => void): Promise<void> => {
    const before = saw
    change()
    await eventually(() => {
      assert.ok(saw > before, what)
    })
    // The rest of one change must not pass for the next one.
    await setTimeout(100)
    t.pass(what)
  }
  const folder = join(root, 'manifests/shelf')
  for (let time = 0; time < 3; time += 1) {
    await noticed('a folder that is new', () => {
      mkdirSync(folder, { recursive: true })
    })
    await noticed('a file in it', () => {
      writeFileSync(join(folder, 'one.yaml'), 'One.')
    })
    await noticed('the same file again', () => {
      writeFileSync(join(folder, 'one.yaml'), 'Two.')
    })
    await noticed('both gone and back, as after a checkout', () => {
      rmSync(join(root, 'manifests'), { recursive: true })
      mkdirSync(folder, { recursive: true })
    })
    await noticed('a file in what is back', () => {
      writeFileSync(join(folder, 'one.yaml'), 'Three.')
    })
    await noticed('a link', () => {
      symlinkSync(join(root, 'elsewhere/books.yaml'), join(folder, 'linked.yaml'))
    })
    await noticed('what a link leads to', () => {
      writeFileSync(join(root, 'elsewhere/books.yaml'), String(time))
    })
    await noticed('all gone', () => {
      rmSync(join(root, 'manifests'), { recursive: true })
    })
  }
  writeFileSync(join(root, 'notes.txt'), 'Not served.')
  // The system tells of both in the order in which they were made.
  await noticed('a folder that comes after it', () => {
    mkdirSync(join(root, 'corpora'))
  })
  t.ok(named.includes(join(root, 'corpora')))
  t.notOk(named.includes(join(root, 'notes.txt')), 'other files of a root say nothing')
})

t.test('a save is served under --watch, and its file is named', async t => {
  const { root, stderr, summary, stop } = await serving(t, '--watch')
  const file = join(root, 'manifests/books.yaml')
  for (const wanted of ['One.', 'Two.', 'Three.']) {
    saves['a rename over the file']?.(file, wanted)
    await eventually(async () => {
      assert.equal(await summary(), wanted)
    })
  }
  t.match(stderr(), /\n(reloaded \S*manifests\/books\.yaml in \d+ ms: \d+ surfaces\n){3}$/)
  t.equal(await stop(), 0)
  t.match(stderr(), /stopping: requests in work are answered, then the stores are closed\n$/)
})

t.test('code that is saved under --watch is not served, and it is said what must be done', async t => {
  const { root, stderr, stop } = await serving(t, '--watch')
  const folder = join(root, 'surfaces/handlers')
  const said = async (pattern: RegExp): Promise<void> => {
    await eventually(() => {
      assert.match(stderr(), pattern)
    })
    t.pass(String(pattern))
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'one.ts'), 'export default 1\n')
  await said(/\n\S*surfaces\/handlers\/one\.ts changed: code is served after a new start, or at once by `pantry dev`\n/)
  writeFileSync(join(folder, 'two.tsx'), 'export default 2\n')
  await said(
    /\n\S*surfaces\/handlers\/two\.tsx changed: code is served after a new start, or at once by `pantry dev`\n/
  )
  // What was built of it is what runs.
  mkdirSync(join(root, 'dist/surfaces/handlers'), { recursive: true })
  writeFileSync(join(root, 'dist/surfaces/handlers/one.js'), 'export default 1\n')
  rmSync(join(folder, 'one.ts'))
  await said(
    /\n\S*surfaces\/handlers\/one\.ts changed: code is served after `npm run build` and a new start, or at once by `pantry dev`\n/
  )
  writeFileSync(join(folder, 'notes.md'), 'No code.')
  writeFileSync(join(folder, 'three.js'), 'export default 3\n')
  await said(/three\.js changed/)
  t.notMatch(stderr(), 'notes.md')
  t.equal(await stop(), 0)
})

t.test('what cannot be read or lies outside the root neither ends the process nor is followed', async t => {
  const { root, summary, stop } = await serving(t, '--watch')
  const file = join(root, 'manifests/books.yaml')
  symlinkSync('/', join(root, 'corpora/everything'))
  await setTimeout(100)
  rmSync(join(root, 'corpora/everything'))
  // For a moment there is no root at all, as when another branch is checked out.
  renameSync(root, `${root}-away`)
  renameSync(`${root}-away`, root)
  const shut = join(root, 'corpora/shut')
  mkdirSync(shut, { mode: 0 })
  await setTimeout(100)
  rmdirSync(shut)
  saves['a rename over the file']?.(file, 'Still served.')
  await eventually(async () => {
    assert.equal(await summary(), 'Still served.')
  })
  t.equal(await stop(), 0)
})

t.test('a reading that throws is said, and the last good state keeps serving', async t => {
  const said: string[] = []
  const { reload } = createReload({
    first: { registry: undefined, readable: undefined, diagnostics: [], files: [], notes: [] },
    read: () => {
      throw new Error('the root is away')
    },
    swap: async () => {
      t.fail('nothing was read')
    },
    report: () => {},
    say: line => {
      said.push(line)
    }
  })
  await reload()
  t.same(said, ['reload failed, the last good manifests keep serving: the root is away'])
})

t.test('one reading at most waits for the one that goes on, and none is served after the end', async t => {
  const said: string[] = []
  let readings = 0
  let mayEnd = false
  /** Until as many readings have begun, of which the last one goes on until it may end. */
  const untilBegun = async (count: number): Promise<void> => {
    while (readings < count) await nextTurn()
  }
  const nothing = { registry: undefined, readable: undefined, diagnostics: [], notes: [], files: [] }
  const { reload, end } = createReload({
    first: nothing,
    *read() {
      readings += 1
      while (!mayEnd) yield
      return nothing
    },
    swap: async () => {
      t.fail('nothing has changed')
    },
    report: () => {},
    say: line => {
      said.push(line)
    }
  })
  const first = reload()
  await untilBegun(1)
  const others = Array.from({ length: 100 }, (_, at) => reload(0, at === 50))
  mayEnd = true
  await Promise.all([first, ...others])
  t.equal(readings, 2)
  t.same(said, ['reload: no file has changed'], 'somebody asked')
  mayEnd = false
  const last = reload(0, true)
  await untilBegun(3)
  end()
  await last
  await reload(0, true)
  t.same(said.length, 1, 'nothing is said after the end')
})

t.test('a file that is new, and one that is gone, are noticed and named', async t => {
  const { root, stderr, stop } = await serving(t, '--watch')
  const [from, to] = [join(root, 'corpora/books/entries.yaml'), join(root, 'manifests/shelf.yaml')]
  writeFileSync(
    to,
    readFileSync(join(root, 'manifests/books.yaml'), 'utf8').replace('/library/books', '/library/shelf')
  )
  await eventually(() => {
    assert.match(stderr(), /^reloaded \S*shelf\.yaml in /m)
  })
  rmSync(to)
  await eventually(() => {
    assert.match(stderr(), /(reloaded \S*shelf\.yaml in [^]*){2}/)
  })
  writeFileSync(from, '- broken: [\n')
  await eventually(() => {
    assert.match(stderr(), /^reload of \S*entries\.yaml refused: the last good manifests keep serving$/m)
  })
  t.equal(await stop(), 0)
})

t.test('SIGHUP reads again without --watch, keeps the last good state, and says what it did', async t => {
  const { root, stderr, summary, hangUp, stop } = await serving(t)
  const file = join(root, 'manifests/books.yaml')
  const before = await summary()
  writeFileSync(file, withSummary(file, 'After SIGHUP.'))
  t.equal(await summary(), before, 'nothing is watched')
  const untilSaid = async (pattern: RegExp): Promise<void> => {
    hangUp()
    await eventually(() => {
      assert.match(stderr(), pattern)
    })
  }
  await untilSaid(/^reloaded \S*manifests\/books\.yaml in \d+ ms: \d+ surfaces$/m)
  t.equal(await summary(), 'After SIGHUP.')
  const good = readFileSync(file)
  writeFileSync(file, 'kind: [')
  await untilSaid(
    /books\.yaml:1:\d+: error\[M\d+\][^]*reload of \S*books\.yaml refused: the last good manifests keep serving\n$/
  )
  t.equal(await summary(), 'After SIGHUP.')
  writeFileSync(file, good)
  await untilSaid(/refused[^]*\nreloaded \S*books\.yaml in \d+ ms: \d+ surfaces\n$/)
  await untilSaid(/reload: no file has changed\n$/)
  t.equal(await stop(), 0)
})
