import { describe, expect, it } from 'vitest'
import { parseRedisAddress } from './redis.ts'

const failure = (text: string): string => {
  try {
    parseRedisAddress(text)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('[EV68] the address of a queue', () => {
  it('has host, port, user, database and TLS', () => {
    expect(parseRedisAddress('redis://queue')).toMatchObject({ host: 'queue', port: 6379, db: 0, isTls: false })
    expect(parseRedisAddress('rediss://me:p%40ss@[::1]:7000/3')).toEqual({
      host: '::1',
      port: 7000,
      username: 'me',
      password: 'p@ss',
      db: 3,
      isTls: true,
      shown: 'rediss://[::1]:7000/3',
    })
  })

  it('is refused without its password in the error', () => {
    for (const wrong of ['http://a:secret@b', 'redis://a:secret@b/x', 'redis://a:secret@b?x=1', 'redis://', 'secret'])
      expect(failure(wrong)).toContain('redis://HOST:6379')
    for (const wrong of [
      'http://a:secret@b',
      'redis://:secret@b/x',
      'redis://:secret@b:99999999',
      'redis://a:secret@b?secret',
    ])
      expect(failure(wrong)).not.toContain('secret')
  })
})
