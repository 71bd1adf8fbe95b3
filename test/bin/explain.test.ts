import t from 'tap'
import { catalog } from '../../core/diagnostics/catalog.ts'
import { faults } from '../../core/database/fault-texts.ts'
import { pantry } from '../support/command-line.ts'

t.test('a code with its meaning and both examples', async t => {
  const { code, stdout, stderr } = await pantry(['explain', 'm402'])
  t.match({ code, stderr }, { code: 0, stderr: '' })
  t.match(stdout, /^M402 \(error\): /)
  t.match(stdout, new RegExp(`Wrong:\\n\\n {2}${catalog.M402.wrong}\\n\\nRight:\\n\\n {2}${catalog.M402.right}\\n$`))
})

t.test('the code of a fault with its causes and what to do', async t => {
  const { code, stdout, stderr } = await pantry(['explain', 'o102'])
  t.strictSame(
    { code, stdout, stderr },
    { code: 0, stdout: `O102 (fault): ${faults.O102.title}\n\n${faults.O102.explain}\n`, stderr: '' }
  )
})

t.test('without a code, the table of all codes', async t => {
  const { stdout } = await pantry(['explain'])
  for (const [code, { title }] of Object.entries(catalog))
    t.match(stdout, new RegExp(`^${code} +(error|warning) +${title.replaceAll(/[^\w ]/g, '.')}$`, 'm'))
})

t.test('both are JSON for other tools', async t => {
  t.strictSame(JSON.parse((await pantry(['explain', 'M402', '--format', 'json'])).stdout), {
    code: 'M402',
    ...catalog.M402
  })
  t.strictSame(JSON.parse((await pantry(['explain', '--format', 'json'])).stdout), [
    ...Object.entries(catalog).map(([code, entry]) => ({ code, ...entry })),
    ...Object.entries(faults).map(([code, { title, explain }]) => ({ code, severity: 'fault', title, explain }))
  ])
})

t.test('a code that is not there is 2, with the nearest one', async t => {
  t.match(await pantry(['explain', 'M4O2']), {
    code: 2,
    stdout: '',
    stderr: /There is no code `M4O2`. Did you mean `M402`\?/
  })
  t.match(await pantry(['explain', 'nonsense']), { code: 2, stderr: /`pantry explain` lists all codes/ })
})
