import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/project.ts'
import { scratchFolder } from '../support/scratch.ts'
import { commandsOf, showsIn } from './with-documents.ts'

t.test('commands of a document, with the files that they write and the answers that are shown', async t => {
  const file = join(scratchFolder(t), 'guide.md')
  writeFileSync(
    file,
    `# Guide

Write it, and \`npm test\`:

    cat > a.csv <<'END'
    npm,node
      1,2

    END
    npm test     # in another terminal
    $ curl -s http://127.0.0.1/a
    HTTP/1.1 200 OK

    {"a":1}

Then:

\`\`\`
$ npx pantry validate
… 0 errors
\`\`\`
`
  )
  const document = relative(packageFolder, file)
  t.strictSame(commandsOf(document), [
    { document, line: 5, text: "cat > a.csv <<'END'\nnpm,node\n  1,2\n\nEND", begins: true },
    { document, line: 10, text: 'npm test', begins: false },
    { document, line: 11, text: 'curl -s http://127.0.0.1/a', begins: false, answer: 'HTTP/1.1 200 OK\n\n{"a":1}' },
    { document, line: 19, text: 'npx pantry validate', begins: true, answer: '… 0 errors' }
  ])
})

t.test('what is shown is what is said, but for what is left out and for line breaks', async t => {
  const said = '{"data":{"name":"Gold (Au)","mass":196.97},"_meta":{"license":"CC0-1.0"}}\n'
  for (const shown of ['{"data":{"name":"Gold (Au)",…}', '{…,\n "_meta":{"license":"CC0-1.0"}}'])
    t.ok(showsIn(shown, said), shown)
  for (const shown of ['{"data":{"mass":196.97', '{…"name":"Silver"…}', '"_meta"…"data"', '196x97'])
    t.notOk(showsIn(shown, said), shown)
})
