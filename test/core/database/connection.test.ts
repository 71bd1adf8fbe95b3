import t from 'tap'
import { wrongUrl } from '../../../core/database/connection.ts'

t.test('the URL of one server is taken', t => {
  for (const url of [
    'postgres://pantry@db.example/pantry',
    'postgresql://pantry:a,b@db.example:5433/pantry?sslmode=require',
    'postgres://pantry@[::1]:5432/pantry',
    'postgres://pantry@%2Frun%2Fpostgresql/pantry',
    'postgres:///pantry?host=/run/postgresql'
  ])
    t.equal(wrongUrl(url), undefined, url)
  t.end()
})

t.test('another one is refused, in words that have nothing of it', t => {
  for (const [url, words] of [
    ['mysql://me:s3cr3t@db.example/pantry', /^must start with postgres:/],
    ['s3cr3t', /^must start with postgres:/],
    ['postgresql://s3cr3t@:bad', /^is not a valid URL$/],
    ['postgres://me:s3cr3t@db.example:99999/pantry', /^is not a valid URL$/],
    ['postgres://me:s3cr3t@one,two:5433/pantry', /^must name one server/],
    ['postgres://me:s3cr3t@one/pantry?host=one,two', /^must name one server/],
    ['postgres://me:s3cr3t@one/pantry?application_name=a&host=one%2Ctwo', /^must name one server/]
  ] as const) {
    t.match(wrongUrl(url), words)
    t.notMatch(wrongUrl(url), /s3cr3t/)
  }
  t.end()
})
