/** A test that tries a fault: a file, or one test in it. */
type Trial = Readonly<{ file: string; test?: string }>

/**
 * A fault that the service survives: what is done, what must hold, and the tests that try it. `untried` says why
 * something of it is not tried.
 */
export type Fault = Readonly<{ id: string; done: string; holds: string; trials: readonly Trial[]; untried?: string }>

const at = (file: string, ...tests: readonly string[]): readonly Trial[] =>
  tests.length === 0 ? [{ file }] : tests.map(test => ({ file, test }))

const network = 'test/faults/network.test.ts'
const server = 'test/faults/server.test.ts'
const process = 'test/faults/process.test.ts'
const database = 'test/core/database/database.test.ts'

export const faults: readonly Fault[] = [
  {
    id: 'F1',
    done: 'no database at the start, then one',
    holds: 'what needs none is the same; typed 503 else; used when it is there',
    trials: [
      ...at(network, 'a database that is away, and comes, is answered for in between'),
      ...at('test/promises/store-stopped.test.ts'),
      ...at(database, 'a server that is not there yet')
    ]
  },
  {
    id: 'F2',
    done: 'database killed at once in the middle of statements, 20 times',
    holds: 'typed 503, nobody hangs, no acknowledged row is lost',
    trials: at(server, 'a server that is killed at once')
  },
  {
    id: 'F3',
    done: 'connections ended by the server, idle and in use, 60 times each',
    holds: 'unseen while idle; typed 503 in use',
    trials: [
      ...at(server, 'connections that the server ends are no matter while idle'),
      ...at(database, 'connections that the server ends are replaced')
    ]
  },
  {
    id: 'F4',
    done: 'reset within a statement and a transaction',
    holds: 'no partial row; whole answers or typed ones',
    trials: at(
      network,
      'a connection that is reset within a transaction leaves no row',
      'an answer that is cut at any byte is whole or typed'
    )
  },
  {
    id: 'F5',
    done: 'black hole',
    holds: 'each request is answered; well again when it ends',
    trials: at(network, 'a network that swallows everything')
  },
  {
    id: 'F6',
    done: 'latency, thin bandwidth, single bytes, late ends, cuts at any byte',
    holds: 'whole answers or typed 503',
    trials: at(
      network,
      'a network that is slow, thin, or cuts answers to bytes',
      'an answer that is cut at any byte is whole or typed'
    )
  },
  {
    id: 'F7',
    done: 'database stopped by SIGSTOP, then continued',
    holds: 'typed 503; the next statement works',
    trials: at(database, 'a server that hangs costs a typed answer')
  },
  {
    id: 'F8',
    done: 'all connections of the pool in use',
    holds: '503 with Retry-After; bad requests are answered as ever',
    trials: [...at(server, 'a full pool answers at once'), ...at(database, 'a full pool answers instead of waiting')]
  },
  {
    id: 'F9',
    done: 'the server turns read-only and back, 10 times',
    holds: 'reads go on, writes say so',
    trials: at(server, 'a server that turns read-only')
  },
  {
    id: 'F10',
    done: 'lock, deadlock, conflict, cancelled statement',
    holds: 'typed, and never repeated',
    trials: [...at(server, 'a lock, a deadlock, a conflict'), ...at('test/core/database/errors.test.ts')],
    untried: 'an import is not repeated either: it fails, and the next one does all of it'
  },
  {
    id: 'F11',
    done: 'disk full at twenty levels during an import, and for a backup',
    holds: 'old cards or new ones; works when there is space',
    trials: at('test/faults/disk.test.ts', 'a disk that is full at any level')
  },
  {
    id: 'F12',
    done: 'connection lost at each statement of an import and of all migrations; importing process killed',
    holds: 'old content or new; the next run completes it',
    trials: [
      ...at('test/faults/statements.test.ts'),
      ...at('test/faults/migrations.test.ts'),
      ...at('test/surfaces/import/killed.test.ts')
    ]
  },
  {
    id: 'F13',
    done: 'embedded database killed while it is written to',
    holds: 'no acknowledged row is lost, none is torn',
    trials: [...at(server, 'a server that is killed at once'), ...at('test/core/database/embedded-crash.test.ts')]
  },
  {
    id: 'F14',
    done: 'second start on a data folder, also in other namespaces and through a bind mount',
    holds: 'refused in words; the first keeps every row',
    trials: [
      ...at('test/core/database/embedded-lock.test.ts'),
      ...at('test/core/database/embedded.test.ts', 'a second Pantry on the same folder')
    ]
  },
  {
    id: 'F15',
    done: 'a statement that never ends within the process',
    holds: '',
    trials: [],
    untried: 'no such part: PostgreSQL is a process of its own, and ends statements after a second'
  },
  {
    id: 'F16',
    done: 'SIGTERM with requests in work, twice',
    holds: 'what was begun is answered; the second ends at once',
    trials: [
      ...at('test/bin/serve-process.test.ts'),
      ...at('test/core/http/server.test.ts', 'a stopping server finishes what it has begun'),
      ...at(process, 'a second SIGTERM ends the process at once')
    ]
  },
  {
    id: 'F17',
    done: 'SIGTERM while a start loads',
    holds: 'whole sources; no lock is left; the next start completes it',
    trials: at(process, 'a start that is ended while it loads')
  },
  {
    id: 'F18',
    done: 'worker processes killed',
    holds: 'replaced; the others answer',
    trials: at('test/bin/workers.test.ts')
  },
  {
    id: 'F19',
    done: 'an exception and a rejected promise that nothing catches',
    holds: 'told once, drained, not 0',
    trials: at(process, 'that nothing catches ends the service in good order')
  },
  {
    id: 'F20',
    done: 'manifests replaced by bad ones, under load',
    holds: 'the last good ones serve; no descriptor is lost',
    trials: [...at('test/faults/time.test.ts', 'whatever the manifests turn into'), ...at('test/bin/reload.test.ts')]
  },
  {
    id: 'F21',
    done: 'the clock jumps by hours, days, years, to a leap day and midnight',
    holds: 'every surface answers; no promise is longer than it says',
    trials: [
      ...at('test/faults/time.test.ts', 'wherever the clock of a running service goes'),
      ...at('test/core/http/rate-window.test.ts'),
      ...at('test/surfaces/sources/rate-desk.test.ts', 'a clock that was set back')
    ]
  },
  {
    id: 'F22',
    done: 'partner feed that fails in each way',
    holds: 'typed state; the last good feed keeps its date',
    trials: [
      ...at('test/surfaces/handlers/culture/partner-gallery.test.ts'),
      ...at('test/surfaces/sources/read-public.test.ts')
    ]
  },
  {
    id: 'F23',
    done: 'exchange rates that fail in each way',
    holds: 'a dated table; failures do not renew it',
    trials: [...at('test/surfaces/sources/rate-desk.test.ts'), ...at('test/surfaces/sources/reference-rates.test.ts')]
  },
  {
    id: 'F24',
    done: 'output closed, or a full pipe',
    holds: 'answers go on; it ends when asked',
    trials: [
      ...at('test/bin/serve-process.test.ts', 'a log that nobody reads'),
      ...at(process, 'closed standard output and error'),
      ...at('test/bin/pantry.test.ts', 'a pipe closed early')
    ]
  },
  {
    id: 'F25',
    done: '128 descriptors',
    holds: 'no crash; answers when connections are gone',
    trials: [
      ...at(process, 'with 128 descriptors more connections'),
      ...at('test/bin/pantry.test.ts', 'few files are open at once')
    ]
  },
  {
    id: 'F26',
    done: 'a heap of 192 MB and 26,000 distinct request lines',
    holds: 'every request is answered',
    trials: [...at(process, 'distinct request lines to every surface'), ...at('test/core/plan/flood.test.ts')]
  },
  {
    id: 'F27',
    done: 'no right to write files (permission model of Node)',
    holds: 'every example is answered as ever',
    trials: at(process, 'without the right to write any file')
  },
  {
    id: 'F28',
    done: 'bits flipped in tables, indexes, backups and seals',
    holds: 'right or typed 503; health says down; damaged files are refused',
    trials: [
      ...at('test/faults/disk.test.ts', 'a bit that is flipped'),
      ...at('test/bin/backup.test.ts', 'a damaged file changes nothing'),
      ...at('test/surfaces/play/practice/seal.test.ts')
    ]
  },
  {
    id: 'F29',
    done: 'database killed while members bid over HTTP, 8 times; a process killed while a crowd bids',
    holds: 'no answered bid is lost; 200, 409 or 503 alone',
    trials: [
      ...at('test/faults/market.test.ts'),
      ...at('test/surfaces/market/crowd.test.ts'),
      ...at('test/surfaces/market/killed.test.ts')
    ]
  }
]

export const filesOfFaults: readonly string[] = [
  ...new Set(faults.flatMap(({ trials }) => trials.map(({ file }) => file)))
]
