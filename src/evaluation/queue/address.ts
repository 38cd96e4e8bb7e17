import { SuiteError } from '../suite/load-suite.ts'

/** Where a Redis server is. */
export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: string | undefined
  /** The number of the database. */
  readonly db: number
  readonly isTls: boolean
  /** The address without its user and password, for messages. */
  readonly shown: string
}

const DEFAULT_PORT = 6379
const FORM = 'an address such as redis://HOST:6379, redis://USER:PASSWORD@HOST/2 or rediss://HOST'

/** Parses `redis://` and `rediss://` (TLS) addresses. Throws a `SuiteError`, which never has the password. */
export function parseRedisAddress(written: string): RedisAddress {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (!url || (url.protocol !== 'redis:' && url.protocol !== 'rediss:') || url.hostname === '')
    throw new SuiteError(`--queue takes ${FORM}; reserved characters of a password are written as %XX`)
  const [, db = '0', ...rest] =
    /^\/(\d{1,4})$/.exec(url.pathname) ?? (/^\/?$/.test(url.pathname) ? [''] : ['', 'wrong'])
  if (db === 'wrong' || rest.length > 0 || url.search !== '' || url.hash !== '')
    throw new SuiteError(`after the host, --queue takes the number of a database and nothing else: ${FORM}`)
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port)
  const isTls = url.protocol === 'rediss:'
  const place = `${url.hostname}:${port}${db === '0' ? '' : `/${Number(db)}`}`
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    username: decoded(url.username),
    password: decoded(url.password),
    db: Number(db),
    isTls,
    shown: `${isTls ? 'rediss' : 'redis'}://${place}`,
  }
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
