import { readFileSync, writeFileSync } from 'node:fs'
import { changelogFile, changelogText, readChanges } from './changelog.ts'

// `npm run changelog` writes CHANGELOG.md; with `--check` it exits with 1 if the file is not up to date.
const text = changelogText(await readChanges())
if (process.argv.includes('--check')) {
  const current = readFileSync(changelogFile, 'utf8') === text
  process.stdout.write(
    current
      ? 'CHANGELOG.md is up to date.\n'
      : 'CHANGELOG.md differs from corpora/changelog. Run `npm run changelog`.\n'
  )
  process.exitCode = current ? 0 : 1
} else {
  writeFileSync(changelogFile, text)
  process.stdout.write('CHANGELOG.md is written.\n')
}
