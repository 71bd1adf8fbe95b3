import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { packageFolder } from '../bin/project.ts'
import { filesBelow } from '../bin/root-modules.ts'

/** They run in a form of their own: the runner before there are tests; the bench measures what is in `dist/`. */
const ownForm = /^test\/(?:run|bench|fixture|tools)\//

t.test(
  'tests start programs of the project in the form in which they run themselves, so that `dist/` is never needed',
  t => {
    for (const file of filesBelow(join(packageFolder, 'test'), '.ts')
      .map(path => relative(packageFolder, path))
      .filter(file => !ownForm.test(file))) {
      const text = readFileSync(join(packageFolder, file), 'utf8')
      const compiled = /new URL\((?:'|`)[^'`]*\.js(?:'|`), import\.meta\.url\)/.exec(text)?.[0]
      if (compiled !== undefined)
        t.fail(
          `${file} names a compiled file: ${compiled}. \`program()\` of test/support/program.ts knows its form, and its options with it.`
        )
      // `program()` brings the options of this process; a program of another package needs none, and what evaluates
      // code says them itself.
      for (const [call] of text.matchAll(/process\.execPath, \[[^\]]*\]/g)) {
        if (/import\(|\.js'|\.ts'/.test(call) && !/program\(|execArgv/.test(call)) t.fail(`${file}: ${call}`)
      }
    }
    t.pass('all do')
    t.end()
  }
)
