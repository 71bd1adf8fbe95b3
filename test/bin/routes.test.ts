import t from 'tap'
import { library, pantry } from '../support/command-line.ts'

t.test('routes are listed in the order they match: literals before placeholders, each method on its own', async t => {
  const found = JSON.parse((await pantry(['routes', '--root', library, '--format', 'json'])).stdout) as {
    method: string
    path: string
    id: string
  }[]
  const at = (path: string): number => found.findIndex(route => route.path === path)
  t.ok(at('/api/v1/kinds') >= 0 && at('/api/v1/kinds') < at('/api/v1/kinds/{kind}'))
  t.strictSame(
    found.filter(({ id }) => id === 'loans').map(({ method }) => method),
    ['GET', 'POST']
  )
  t.match((await pantry(['routes', '--root', library])).stdout, /^METHOD +PATH +SURFACE +KIND\n/)
})
