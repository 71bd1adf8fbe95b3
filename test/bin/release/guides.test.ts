import { posix } from 'node:path'
import t from 'tap'
import { packagedGuides } from '../../../bin/release/guides.ts'
import { packageFolder } from '../../../bin/project.ts'
import { domainWord } from '../../support/domain-word.ts'

t.test('the package has the guides that its README names, and no link leads out of it', t => {
  const guides = packagedGuides(packageFolder, 'bin/door/README.md')
  for (const file of ['README.md', 'docs/tutorial.md', 'docs/own-service.md', 'docs/tables.md', 'core/REFERENCE.md'])
    t.ok(guides.has(file), file)
  let links = 0
  for (const [file, text] of guides) t.equal(domainWord(text), undefined, `${file} is about the framework`)
  for (const [file, text] of guides)
    for (const [, path = ''] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
      t.ok(guides.has(posix.join(posix.dirname(file), path)), `${file}: ${path}`)
      links += 1
    }
  t.ok(links > 5, `${links} links`)
  t.end()
})

t.test('a link to what the package does not have becomes its label, and other links stay', t => {
  const folder = t.testdir({
    bin: {
      'README.md': 'See [the guide](../docs/guide.md#start), [code](../core/x.ts) and [RFC](https://example.org/rfc).'
    },
    docs: {
      'guide.md': 'Back to [the README](../bin/README.md), on to [myself](#start), [me](guide.md#b) and `[a](b)`.'
    }
  })
  t.strictSame(
    [...packagedGuides(folder, 'bin/README.md')],
    [
      ['README.md', 'See [the guide](docs/guide.md#start), code and [RFC](https://example.org/rfc).'],
      ['docs/guide.md', 'Back to the README, on to [myself](#start), [me](guide.md#b) and `a`.']
    ]
  )
  t.end()
})
