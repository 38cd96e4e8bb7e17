import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'
import { Fault } from '../base/fault.ts'
import type { Store } from './store.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS record (
    place INTEGER PRIMARY KEY,
    kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT, value TEXT NOT NULL,
    UNIQUE (kind, id)
  );
  CREATE INDEX IF NOT EXISTS record_owner ON record (kind, owner);
  CREATE TABLE IF NOT EXISTS entry (
    stream TEXT NOT NULL, number INTEGER NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (stream, number)
  ) WITHOUT ROWID;
`

interface Row {
  readonly id: string
  readonly number: number
  readonly value: string
}

/**
 * A store in one SQLite file with a write-ahead log. Completed writes survive a killed process. Throws `StorageFailed`
 * if the path is not writable, or if the file is damaged or not a database.
 */
export function sqliteStore(path: string): Store {
  const database = open(path)

  const get = database.prepare('SELECT value FROM record WHERE kind = ? AND id = ?')
  const put = database.prepare(
    `INSERT INTO record (kind, id, owner, value) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, value = excluded.value`,
  )
  const list = database.prepare('SELECT id, value FROM record WHERE kind = ? ORDER BY place')
  const listOwned = database.prepare('SELECT id, value FROM record WHERE kind = ? AND owner = ? ORDER BY place')
  const remove = database.prepare('DELETE FROM record WHERE kind = ? AND id = ?')
  const append = database.prepare(
    `INSERT INTO entry (stream, number, value)
     VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM entry WHERE stream = ?1), ?2) RETURNING number`,
  )
  const read = database.prepare(
    'SELECT number, value FROM entry WHERE stream = ? AND number > ? ORDER BY number LIMIT ?',
  )
  const count = database.prepare('SELECT coalesce(max(number), 0) AS number FROM entry WHERE stream = ?')
  const drop = database.prepare('DELETE FROM entry WHERE stream = ?')

  return {
    get: (kind, id) => {
      const row = get.get(kind, id) as Row | undefined
      return row === undefined ? undefined : JSON.parse(row.value)
    },
    put: (kind, id, value, owner) => void put.run(kind, id, owner ?? null, JSON.stringify(value)),
    list: (kind, owner) =>
      ((owner === undefined ? list.all(kind) : listOwned.all(kind, owner)) as Row[]).map(({ id, value }) => ({
        id,
        value: JSON.parse(value),
      })),
    remove: (kind, id) => remove.run(kind, id).changes > 0,
    append: (stream, value) => (append.get(stream, JSON.stringify(value)) as Row).number,
    read: (stream, after = 0, limit = -1) =>
      (read.all(stream, after, limit) as Row[]).map(({ number, value }) => ({ number, value: JSON.parse(value) })),
    count: (stream) => (count.get(stream) as Row).number,
    drop: (stream) => void drop.run(stream),
    atomically: (work) => {
      if (database.inTransaction) return work()
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (thrown) {
        if (database.inTransaction) database.exec('ROLLBACK')
        throw thrown
      }
    },
    close: () => void database.close(),
  }
}

function open(path: string): Database.Database {
  try {
    mkdirSync(dirname(path), { recursive: true })
    // On a read-only file system the database opens, and the first write fails.
    accessSync(dirname(path), constants.W_OK)
    if (existsSync(path)) accessSync(path, constants.W_OK)
    const database = new Database(path)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.pragma('busy_timeout = 5000')
    database.exec(SCHEMA)
    return database
  } catch (thrown) {
    const damaged = /SQLITE_(NOTADB|CORRUPT)/.test(String((thrown as { readonly code?: unknown }).code))
    const remedy = damaged ? 'move it away, or choose another folder with --data' : 'choose another folder with --data'
    throw new Fault('StorageFailed', `${path} cannot be used: ${(thrown as Error).message}; ${remedy}`, { path })
  }
}
