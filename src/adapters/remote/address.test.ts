import { createServer } from 'node:https'
import { afterEach, describe, expect, it } from 'vitest'
import { sendJson } from '../../../test/support/adapters/remote-desktop.ts'
import { SELF_SIGNED } from '../../../test/support/adapters/self-signed.ts'
import { parseRemoteAddress } from './address.ts'
import { openRemoteComputer } from './remote.ts'

describe('the URL of the other server', () => {
  it.each([
    ['http://desk:5001', { base: 'http://desk:5001', server: 'http://desk:5001', exposed: true }],
    ['https://desk/', { base: 'https://desk', server: 'https://desk', exposed: false }],
    ['http://[::1]:5001', { base: 'http://[::1]:5001', server: 'http://[::1]:5001', exposed: false }],
    [
      'http://127.0.0.1:5001/sessions/s-1/',
      { base: 'http://127.0.0.1:5001/sessions/s-1', server: 'http://127.0.0.1:5001', exposed: false },
    ],
    [
      'https://desk/behind/proxy',
      { base: 'https://desk/behind/proxy', server: 'https://desk/behind/proxy', exposed: false },
    ],
  ])('[RM2] %s is accepted', (text, address) => {
    expect(parseRemoteAddress(text)).toEqual(address)
  })

  it.each([
    ['desk', 'is not a URL; give one such as http://host:5001'],
    ['ws://desk:5001', 'give a URL of http or https'],
    ['file:///etc/passwd', 'give a URL of http or https'],
    ['http://desk:5001/?token=x', 'it has a query or a fragment'],
  ])('[RM2] %s is refused', (text, message) => {
    expect(() => parseRemoteAddress(text)).toThrow(
      expect.objectContaining({ code: 'BadRequest', message: expect.stringContaining(message) }),
    )
  })

  it('[RM2] with credentials is refused, without repeating them', () => {
    const refused = (() => {
      try {
        return parseRemoteAddress('http://ada:lovelace@desk:5001')
      } catch (thrown) {
        return thrown as Error
      }
    })()
    expect(refused).toMatchObject({ code: 'BadRequest', message: expect.stringContaining('--remote-token') })
    expect((refused as Error).message).not.toMatch(/ada|lovelace/)
  })
})

describe('a URL of https', () => {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  afterEach(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })

  it('[RM2] is used with a trusted certificate only', async () => {
    const server = createServer(SELF_SIGNED, ({ url }, response) => {
      if (url === '/api/healthz') return sendJson(response, { ok: true, adapter: 'Small' })
      if (url === '/api/windows') return sendJson(response, { windows: [] })
      return sendJson(response, { error: 'no such page' }, 404)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const url = `https://127.0.0.1:${(server.address() as { port: number }).port}`
    try {
      await expect(openRemoteComputer({ url })).rejects.toMatchObject({
        code: 'PlatformUnsupported',
        message: `the other server, ${url}, has a certificate that is not trusted; NODE_EXTRA_CA_CERTS=FILE trusts further ones`,
      })
      // Node reads NODE_EXTRA_CA_CERTS once, at its start.
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
      const computer = await openRemoteComputer({ url })
      expect(await computer.windows()).toEqual([])
      await computer.close()
    } finally {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
  })
})
