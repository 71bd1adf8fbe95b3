import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { removeLeft } from './support/cluster.ts'

t.test(
  'what a run has left that was killed goes a day later; nothing of a run that lives goes, and nothing of others',
  t => {
    const place = t.testdir()
    const [gone, alive, yesterday] = ['pantry-test-99999999', `pantry-test-${process.pid}`, Date.now() / 1000 - 100_000]
    for (const name of [gone, alive, 'pantry-test-data', 'other']) mkdirSync(join(place, name))
    removeLeft(place)
    t.equal(readdirSync(place).length, 4)
    for (const name of readdirSync(place)) utimesSync(join(place, name), yesterday, yesterday)
    removeLeft(place)
    t.same(readdirSync(place).sort(), ['other', 'pantry-test-data', alive].sort())
    t.end()
  }
)
